package main

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"lens/internal/audit"
	"lens/internal/boot"
	"lens/internal/cleantext"
	"lens/retrieval/offline"
)

// searching is the flags of lens search.
type searching struct {
	k               int
	security        string
	answer, explain bool
}

// check refuses what no search can be asked for.
func (f searching) check() error {
	if !slices.Contains(offline.Levels(), offline.Level(f.security)) {
		return usage("say standard, strict or paranoid", "there is no level of security %q", f.security)
	}
	if f.k < 1 || f.k > offline.MaxK {
		return usage("", "-k is between 1 and %d", offline.MaxK)
	}
	return nil
}

func (s *session) searchCommand() *cobra.Command {
	var f searching
	cmd := &cobra.Command{
		Use:   "search QUERY",
		Short: "Find, or answer, with nothing leaving this machine",
		Long: `The offline retriever. Before it looks, this process is cut off from the network, and that is verified; afterwards the decision to answer is recorded (lens audit verify). Whatever of this fails is a reason not to answer: it says which, with --json as decision and reason, and ends with 4 or 1.

It finds what has a word of QUERY, or a synonym of keywords.yaml, prefers what is near in meaning and recent, and keeps the four hits that bear on QUERY most. Where nothing has the words it says so, and does not guess; lens peek finds by meaning alone. With --answer it quotes the sentences that answer, or has a chat model on this machine write from them, with the files they come from; below stands what you concluded before, the answers that you pinned in the explorer: they are no evidence, and nothing is made of them.

--security standard takes what the system offers. strict works only where the system itself blocks the network. paranoid also looks at no dates, asks no chat model, and has a process for each query: lens search is one, lens serve keeps one waiting.`,
		Example: `  lens search "how often to feed the starter" --answer
  lens search "notice period" --security strict --explain
  lens search invoice -k 20 --json | jq -r '.hits[].path'`,
		Args: atLeastOne("a query"),
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := f.check(); err != nil {
				return err
			}
			return s.tellRevert(s.search(cmd, strings.Join(args, " "), f))
		},
	}
	flags := cmd.Flags()
	flags.IntVarP(&f.k, "k", "k", offline.DefaultK, "how many hits are looked for; four are kept")
	flags.StringVar(&f.security, "security", string(offline.Standard), "standard, strict or paranoid")
	flags.BoolVar(&f.answer, "answer", false, "answer QUERY from the hits")
	flags.BoolVar(&f.explain, "explain", false, "show what every score is made of")
	return cmd
}

// searched is what lens search prints as JSON.
type searched struct {
	offline.Decision
	Query  string         `json:"query"`
	Hits   []offline.Hit  `json:"hits"`
	Answer *writtenAnswer `json:"answer,omitempty"`

	Conclusions []offline.Conclusion `json:"conclusions,omitzero"` // with an answer

	Explain *offline.Explanation `json:"explain,omitempty"`
	Timing  map[string]float64   `json:"timing_ms"`
}

// writtenAnswer is an answer without its decision, which is the search's but for its number.
type writtenAnswer struct {
	Text      string             `json:"text"`
	Citations []offline.Citation `json:"citations"`
	Generated bool               `json:"generated"`
	Notice    string             `json:"notice,omitempty"`
	Seq       uint64             `json:"audit_seq"`
}

func (s *session) search(cmd *cobra.Command, query string, f searching) error {
	level := offline.Level(f.security)
	l, err := s.prepareOffline(cmd)
	if err == nil {
		err = l.CutOffToSearch(cmd.Context(), level)
	}
	if err != nil {
		return err
	}
	retriever := l.Offline(true)
	began := time.Now()
	found, err := retriever.Search(cmd.Context(), query, offline.SearchOptions{K: f.k, Level: level})
	if err != nil {
		return err
	}
	shown := searched{Decision: found.Decision, Query: query, Timing: map[string]float64{"search": milliseconds(began)}}
	shown.Hits = offline.Rerank(found.Hits, time.Now(), level)
	if f.explain {
		shown.Explain = &found.Explain
	} else {
		withoutParts(shown.Hits)
	}
	if f.answer {
		began = time.Now()
		a, err := retriever.Answer(cmd.Context(), shown.Hits, query, offline.AnswerOptions{Level: level, QID: found.QID})
		if err != nil {
			return err
		}
		shown.Answer = &writtenAnswer{a.Text, a.Citations, a.Generated, a.Notice, a.Seq}
		shown.Conclusions = a.Conclusions
		shown.Timing["answer"] = milliseconds(began)
	}
	if s.globals.json {
		err = s.out.json(shown)
	} else {
		s.showSearched(shown)
	}
	if err == nil && len(shown.Hits) == 0 {
		err = errNothing
	}
	return err
}

// tellRevert says in JSON, when that is asked for, that it was decided not to answer, and for which reason; finish says it in words.
func (s *session) tellRevert(err error) error {
	var reverted *offline.Revert
	if !s.globals.json || !errors.As(err, &reverted) {
		return err
	}
	return errors.Join(err, s.out.json(struct {
		Decision audit.Act      `json:"decision"`
		Reason   offline.Reason `json:"reason"`
	}{audit.Revert, reverted.Reason}))
}

func milliseconds(since time.Time) float64 {
	return float64(time.Since(since)) / float64(time.Millisecond)
}

func withoutParts(hits []offline.Hit) {
	for i := range hits {
		hits[i].Parts = nil
	}
}

func (s *session) showSearched(r searched) {
	if a := r.Answer; a != nil {
		s.out.println(cleantext.Text(a.Text))
		if a.Notice != "" {
			s.err.println(s.err.warn(a.Notice))
		}
		if len(a.Citations) > 0 {
			s.out.println()
		}
		s.showCitations(a.Citations)
		s.showConclusions(r.Conclusions)
	} else {
		s.showHits(r.Hits)
	}
	if r.Explain != nil {
		s.explainSearch(r)
	}
	if len(r.Hits) == 0 && r.Answer == nil {
		s.err.println("nothing has these words; lens peek also finds by meaning alone")
	}
	s.err.println(s.err.faint(fmt.Sprintf("%s: %d kinds of socket refused; decision %d recorded", r.Mechanism, r.Probes, r.Seq)))
}

func (s *session) showCitations(all []offline.Citation) {
	for _, c := range all {
		s.out.println("  " + s.out.line(c.String()+pages(c.Pages), s.out.width-2))
	}
}

// showConclusions shows what the person concluded before.
func (s *session) showConclusions(all []offline.Conclusion) {
	for _, c := range all {
		s.out.println()
		s.out.println("You concluded on " + c.At.UTC().Format(time.DateOnly) + ": " + cleantext.Text(c.Text))
		s.showCitations(c.Citations)
	}
}

func (s *session) showHits(hits []offline.Hit) {
	for i, h := range hits {
		c := offline.Citation{File: h.Filename, Modified: h.Modified}
		left := fmt.Sprintf("%2d  %.3f  ", i+1, *h.Final)
		right := "  " + h.ChunkID.String()[:shortID]
		s.out.println(left + s.out.bold(s.out.line(c.String()+pages(h.Pages), s.out.width-len(left)-len(right))) + s.out.faint(right))
		if h.Snippet != "" {
			s.out.println("           " + s.out.line(h.Snippet, s.out.width-11))
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

// explainSearch shows how the query was understood and what every score is made of.
func (s *session) explainSearch(r searched) {
	e := r.Explain
	s.out.printf("\nterms: %s\n", s.out.line(strings.Join(e.Terms, " "), 1000))
	for _, synonym := range e.Synonyms {
		s.out.printf("keywords.yaml: %s\n", s.out.line(synonym.Word+" also finds "+strings.Join(synonym.Adds, ", "), 1000))
	}
	if len(e.Placeholders) > 0 {
		s.out.printf("keywords.yaml, not filled in yet: %s\n", s.out.line(strings.Join(e.Placeholders, ", "), 1000))
	}
	s.out.printf("%s; search = ann + %.1f * recency, recency = exp(-age / %.0f days)\n", count(e.Candidates, "candidate"), e.Lambda, e.TauDays)
	s.out.println("final = " + map[bool]string{true: "(ann' + keyword') / 2", false: "0.6 * ann' + 0.3 * keyword' + 0.1 * recency"}[r.Level == offline.Paranoid] + ", ' scaled to 0..1 over the hits")
	for i, h := range r.Hits {
		p := h.Parts
		age := "unknown age"
		if p.AgeDays != nil {
			age = fmt.Sprintf("%.1f days old", *p.AgeDays)
		}
		s.out.printf("%2d  final %.4f  ann %.4f -> %.4f  keyword %.4f -> %.4f  recency %.4f  search %.4f  %s\n",
			i+1, p.Final, h.ANN, p.ANNNorm, h.Keyword, p.KeywordNorm, p.RecencyNorm, p.Search, age)
	}
}

// offlineQueryCommand is what another lens starts for one query.
func (s *session) offlineQueryCommand() *cobra.Command {
	return &cobra.Command{
		Use: boot.OfflineVerb, Hidden: true, Args: none,
		RunE: func(cmd *cobra.Command, _ []string) error {
			l, err := s.prepareOffline(cmd)
			if err == nil {
				err = l.CutOffToSearch(cmd.Context(), offline.Standard)
			}
			if err != nil {
				return err
			}
			l.OnSecret(nil) // the input is the query
			return l.ServeOffline(cmd.Context(), s.in, s.out)
		},
	}
}

// prepareOffline returns the Lens of a verb that is to be cut off whatever the configuration says.
func (s *session) prepareOffline(cmd *cobra.Command) (*boot.Lens, error) {
	if err := cmd.Flags().Lookup("offline").Value.Set("true"); err != nil {
		return nil, err
	}
	cmd.Flags().Lookup("offline").Changed = true
	return s.prepare(cmd)
}
