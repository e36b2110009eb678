package main

import (
	"fmt"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"lens/internal/boot"
	"lens/internal/cleantext"
	"lens/internal/plot"
	"lens/retrieval"
)

func (s *session) peekCommand() *cobra.Command {
	var n narrowing
	cmd := &cobra.Command{
		Use:   "peek QUERY",
		Short: "Find turns, and when they were",
		Long:  "Finds the turns that come nearest to QUERY and draws when they were. Several words are one query.",
		Example: `  lens peek sourdough
  lens peek "rust async" --since "last 1y" --bin month
  lens peek sourdough --json | jq .histogram.total`,
		Args: atLeastOne("a query"),
		RunE: func(cmd *cobra.Command, args []string) error { return s.peek(cmd, strings.Join(args, " "), n) },
	}
	n.addTo(cmd)
	n.addBinTo(cmd)
	cmd.Flags().IntVar(&n.snippets, "snippets", retrieval.DefaultSnippets, "how many matches are listed")
	return cmd
}

// atLeastOne refuses a verb without its argument.
func atLeastOne(what string) cobra.PositionalArgs {
	return func(cmd *cobra.Command, args []string) error {
		if len(args) > 0 && strings.TrimSpace(strings.Join(args, "")) != "" {
			return nil
		}
		return usage("for instance:"+strings.Split(cmd.Example+"\n", "\n")[0], "lens %s needs %s", cmd.Name(), what)
	}
}

func (s *session) peek(cmd *cobra.Command, query string, n narrowing) error {
	opts, err := n.read(time.Now())
	if err != nil {
		return err
	}
	l, engine, err := s.engine(cmd, opts.Mode)
	if err != nil {
		return err
	}
	if !s.globals.json {
		opts.AutoBuckets = s.autoBuckets()
	}
	p, err := engine.Peek(cmd.Context(), query, opts)
	if err != nil {
		return err
	}
	if s.globals.json {
		err = s.out.json(p)
	} else {
		s.showPeek(l, p, opts)
	}
	if err == nil && p.Histogram.Total == 0 {
		err = errNothing
	}
	return err
}

// autoBuckets is how many buckets fit, when they are chosen for the screen.
func (s *session) autoBuckets() int {
	return min(retrieval.MaxAutoBuckets, plot.Columns(retrieval.MaxTopK, s.out.chart()))
}

// showPeek prints a peek for people: chart, then matches.
func (s *session) showPeek(l *boot.Lens, p *retrieval.Peek, opts retrieval.PeekOptions) {
	s.notice(l, p, opts.Mode)
	if p.Histogram.Total == 0 {
		s.out.printf("Nothing found among %s.\n", count(p.Coverage.Candidates, "turn"))
		return
	}
	s.out.println(s.out.bold(s.summary(p)))
	s.out.printf("%s", plot.Histogram(p.Histogram, s.out.chart()))
	for i := range p.Matches {
		s.showMatch(i+1, &p.Matches[i])
	}
	if len(p.Matches) > 0 {
		s.out.println()
		s.out.println(s.out.faint("lens turn ID shows one in full; --snippets lists more"))
	}
}

func (s *session) summary(p *retrieval.Peek) string {
	parts := []string{count(p.Histogram.Total, "turn")}
	if p.Coverage.Truncated {
		parts[0] = fmt.Sprintf("the nearest %s", count(p.Histogram.Total, "turn"))
	}
	if p.Histogram.Undated > 0 {
		parts = append(parts, fmt.Sprintf("%d undated", p.Histogram.Undated))
	}
	parts = append(parts, "by "+p.Histogram.Bin, string(p.Mode), fmt.Sprintf("%.0f ms", p.Timing.Total))
	return strings.Join(parts, s.out.sign(" · ", ", "))
}

// notice says on one line why the search was by keywords only, when more was hoped for, and what to do about it.
func (s *session) notice(l *boot.Lens, p *retrieval.Peek, asked retrieval.Mode) {
	if p.Notice == "" && (p.Mode != retrieval.Keyword || asked == retrieval.Keyword) {
		return
	}
	text := p.Notice
	if _, err := l.EmbeddingModel(); err != nil { // more than the engine can know
		text = "By keywords only: " + boot.Explain(err)[0].Message + "."
	}
	if hint := l.MeaningHint(p.Coverage.Embedded); hint != "" {
		text = strings.TrimSpace(text + " " + upperFirst(strings.TrimSuffix(hint, ".")) + ".")
	}
	s.err.println(s.err.warn(cleantext.Line(text)))
}

const shortID = 13 // characters of an id that are shown: enough to be unique in any archive

func (s *session) showMatch(rank int, m *retrieval.Match) {
	branch := ""
	if !m.OnPath {
		branch = "  (branch)"
	}
	left := fmt.Sprintf("%3d  %s  ", rank, day(m.Time))
	right := fmt.Sprintf("%s  %.3f  %s", branch, m.Score, m.TurnID.String()[:shortID])
	title := s.out.line(m.Title, s.out.width-len(left)-len(right))
	s.out.println()
	s.out.printf("%s%s%s\n", left, s.out.bold(title), s.out.faint(right))
	for _, part := range []struct{ sign, text string }{{"You: ", m.UserSnippet}, {s.out.sign("→ ", "-> "), m.AssistantSnippet}} {
		if part.text != "" {
			s.out.printf("     %s%s\n", s.out.faint(part.sign), s.out.line(part.text, s.out.width-5-len(part.sign)))
		}
	}
}
