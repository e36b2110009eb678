package main

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"lens/internal/audit"
	"lens/internal/cleantext"
	"lens/retrieval/offline"
)

// searchFlags holds the flags of lens search.
type searchFlags struct {
	k               int
	security        string
	answer, explain bool
}

// check returns a usage error for flags that are out of range.
func (f searchFlags) check() error {
	if f.security != "" && !slices.Contains(offline.Levels(), offline.Level(f.security)) {
		return usage("use standard, strict or paranoid", "unknown security level %q", f.security)
	}
	if f.k < 1 || f.k > offline.MaxK {
		return usage("", "-k must be between 1 and %d", offline.MaxK)
	}
	return nil
}

func newSearchCmd(env *Env) *cobra.Command {
	var f searchFlags
	cmd := &cobra.Command{
		Use:   "search QUERY",
		Short: "Search or answer offline: nothing leaves this machine",
		Long: unwrap(`Before searching, lens search cuts itself off from the network and verifies that; afterwards it records
the decision to answer (see lens audit verify). If any of this fails, it does not answer: it prints the reason, with
--json as decision and reason, and exits with 4 or 1.

It finds texts with a word of QUERY or a synonym from keywords.yaml, prefers recent ones that are near in meaning, and
keeps the four most relevant hits. If no text has the words, it says so and does not guess; use lens peek to search by
meaning alone. With --answer, it quotes the sentences that answer QUERY, or has a chat model on this machine write an
answer from them, and names their files. Below the answer it lists your earlier conclusions, the answers that you pinned
in the explorer; they do not count as evidence.

--security standard uses whatever the system offers. strict works only where the system itself blocks the network.
paranoid also ignores dates, uses no chat model, and runs each query in its own process: lens search is one, lens serve
keeps one ready.`),
		Example: `  lens search "how often to feed the starter" --answer
  lens search "notice period" --security strict --explain
  lens search invoice -k 20 --json | jq -r '.hits[].path'`,
		Args: atLeastOne("a query"),
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := f.check(); err != nil {
				return err
			}
			return printRevert(env, runSearch(cmd, env, strings.Join(args, " "), f))
		},
	}
	flags := cmd.Flags()
	flags.IntVarP(&f.k, "k", "k", offline.DefaultK, "how many hits to search for; four are kept")
	flags.StringVar(&f.security, "security", "",
		"security level: standard, strict or paranoid (default: LENS_SECURITY, else standard)")
	flags.BoolVar(&f.answer, "answer", false, "answer QUERY from the hits")
	flags.BoolVar(&f.explain, "explain", false, "show how each score is made up")
	return cmd
}

// searchResult is what lens search prints as JSON.
type searchResult struct {
	offline.Decision
	Query  string         `json:"query"`
	Hits   []offline.Hit  `json:"hits"`
	Answer *writtenAnswer `json:"answer,omitempty"`

	Conclusions []offline.Conclusion `json:"conclusions,omitzero"` // only with an answer

	Explain *offline.Explanation `json:"explain,omitempty"`
	Timing  map[string]float64   `json:"timing_ms"`
}

// writtenAnswer is an answer without its decision, which is the search's except for the number.
type writtenAnswer struct {
	Text      string             `json:"text"`
	Citations []offline.Citation `json:"citations"`
	Generated bool               `json:"generated"`
	Notice    string             `json:"notice,omitempty"`
	Seq       uint64             `json:"audit_seq"`
}

func runSearch(cmd *cobra.Command, env *Env, query string, f searchFlags) error {
	a, err := env.OpenOffline(cmd)
	level := offline.Level(f.security)
	if err == nil {
		level = cmp.Or(level, offline.Level(a.Config().Security))
		err = a.Offline.CutOff(cmd.Context(), level)
	}
	if err != nil {
		return err
	}
	retriever := a.Offline.Retriever(true)
	began := time.Now()
	found, err := retriever.Search(cmd.Context(), query, offline.SearchOptions{K: f.k, Level: level})
	if err != nil {
		return err
	}
	timing := map[string]float64{"search": milliseconds(began)}
	shown := searchResult{Decision: found.Decision, Query: query, Timing: timing}
	shown.Hits = offline.Rerank(found.Hits, time.Now(), level)
	if f.explain {
		shown.Explain = &found.Explain
	} else {
		for i := range shown.Hits {
			shown.Hits[i].Parts = nil
		}
	}
	if f.answer {
		began = time.Now()
		answer, err := retriever.Answer(cmd.Context(), shown.Hits, query, offline.AnswerOptions{Level: level, QID: found.QID})
		if err != nil {
			return err
		}
		shown.Answer = &writtenAnswer{answer.Text, answer.Citations, answer.Generated, answer.Notice, answer.Seq}
		shown.Conclusions = answer.Conclusions
		shown.Timing["answer"] = milliseconds(began)
	}
	return env.PrintFound(len(shown.Hits), shown, func() { printSearched(env, shown) })
}

// printRevert prints with --json that the retriever decided not to answer, and the reason. The reporter prints it in
// words.
func printRevert(env *Env, err error) error {
	var reverted *offline.Revert
	if !env.JSON || !errors.As(err, &reverted) {
		return err
	}
	return errors.Join(err, env.Out.json(struct {
		Decision audit.Act      `json:"decision"`
		Reason   offline.Reason `json:"reason"`
	}{audit.Revert, reverted.Reason}))
}

func milliseconds(since time.Time) float64 {
	return float64(time.Since(since)) / float64(time.Millisecond)
}

func printSearched(env *Env, r searchResult) {
	if a := r.Answer; a != nil {
		env.Out.println(cleantext.Text(a.Text))
		if a.Notice != "" {
			env.Err.println(env.Err.warn(a.Notice))
		}
		if len(a.Citations) > 0 {
			env.Out.println()
		}
		printCitations(env.Out, a.Citations)
		printConclusions(env.Out, r.Conclusions)
	} else {
		printHits(env.Out, r.Hits)
	}
	if r.Explain != nil {
		printExplanation(env.Out, r)
	}
	if len(r.Hits) == 0 && r.Answer == nil {
		env.Err.println("No text has these words. Use lens peek to search by meaning alone.")
	}
	if first, _, _ := strings.Cut(strings.TrimSpace(r.Query), " "); len(r.Hits) > 0 && strings.EqualFold(first, "when") {
		env.Err.println("For when it first and last came up, use lens peek.")
	}
	basis := fmt.Sprintf("%s refused %d kinds of socket; recorded as decision %d", r.Mechanism, r.Probes, r.Seq)
	env.Err.println(env.Err.faint(basis))
}

func printCitations(out *screen, all []offline.Citation) {
	for _, c := range all {
		out.println("  " + out.line(c.String()+pages(c.Pages), out.width-2))
	}
}

// printConclusions shows the user's earlier conclusions.
func printConclusions(out *screen, all []offline.Conclusion) {
	for _, c := range all {
		out.println()
		out.println("You concluded on " + c.At.UTC().Format(time.DateOnly) + ": " + cleantext.Text(c.Text))
		printCitations(out, c.Citations)
	}
}

func printHits(out *screen, hits []offline.Hit) {
	for i, h := range hits {
		c := h.Citation()
		left := fmt.Sprintf("%2d  %.3f  ", i+1, *h.Final)
		right := "  " + h.ChunkID.String()[:shortID]
		file := out.line(c.String()+pages(h.Pages), out.width-len(left)-len(right))
		out.println(left + out.bold(file) + out.faint(right))
		if h.Snippet != "" {
			out.println("           " + out.line(h.Snippet, out.width-11))
		}
	}
}

func pages(span []int) string {
	switch {
	case len(span) != 2:
		return ""
	case span[0] == span[1]:
		return fmt.Sprintf(", page %d", span[0])
	}
	return fmt.Sprintf(", pages %d-%d", span[0], span[1])
}

// printExplanation shows how the query was understood and how each score is made up.
func printExplanation(out *screen, r searchResult) {
	e := r.Explain
	out.printf("\nterms: %s\n", out.line(strings.Join(e.Terms, " "), 1000))
	for _, synonym := range e.Synonyms {
		out.printf("keywords.yaml: %s\n", out.line(synonym.Word+" also finds "+strings.Join(synonym.Adds, ", "), 1000))
	}
	if len(e.Placeholders) > 0 {
		out.printf("keywords.yaml, not filled in yet: %s\n", out.line(strings.Join(e.Placeholders, ", "), 1000))
	}
	out.printf("%s; search = ann + %.1f * recency, recency = exp(-age / %.0f days)\n",
		count(e.Candidates, "candidate"), e.Lambda, e.TauDays)
	final := "0.6 * ann' + 0.3 * keyword' + 0.1 * recency"
	if r.Level == offline.Paranoid {
		final = "(ann' + keyword') / 2"
	}
	out.println("final = " + final + ", ' scaled to 0..1 over the hits")
	for i, h := range r.Hits {
		p := h.Parts
		age := "unknown age"
		if p.AgeDays != nil {
			age = fmt.Sprintf("%.1f days old", *p.AgeDays)
		}
		out.printf("%2d  final %.4f  ann %.4f -> %.4f  keyword %.4f -> %.4f  recency %.4f  search %.4f  %s\n",
			i+1, p.Final, h.ANN, p.ANNNorm, h.Keyword, p.KeywordNorm, p.RecencyNorm, p.Search, age)
	}
}
