// Package eval holds no code: its test sends a scripted investigator through the questions of labelled archives and prints how much of the
// evidence it reads, how well it cites, and what that takes. make agent-eval runs it.
//
// The investigator follows fixed rules and knows no language: what is measured is the tools, the ranking, the budgets and the gate, not a
// model. It cites three turns whatever the question: with one labelled turn, a third of its citations can be right at most. A run says the
// same every time.
package eval
