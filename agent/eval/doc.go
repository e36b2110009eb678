// Package eval has no code. Its test sends a scripted investigator through the questions of labeled archives
// and prints how much of the evidence it reads, how well it cites, and what that costs. make agent-eval runs
// it.
//
// The investigator follows fixed rules and knows no language, so the test measures the tools, the ranking,
// the budgets and the citation filter, not a model. It always cites three turns: with one labeled turn, at
// most a third of its citations can be right. Its results are reproducible.
package eval
