package main

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"lens/internal/chart"
	"lens/internal/cleantext"
	"lens/retrieval"
)

func (s *session) peekCommand() *cobra.Command {
	var n narrowing
	var like string
	cmd := &cobra.Command{
		Use:        "peek QUERY",
		SuggestFor: []string{"find"},
		Short:      "Find turns, and when they happened",
		Long: unwrap(`Finds the turns nearest to QUERY and charts when they happened. Several words make one query.

Below the chart are the number of all turns, the share that matched, and the peaks. A peak is a bin with more matches
than its number of turns explains (Fisher's exact test, corrected for the number of bins); a busy month alone does not
make a peak.`),
		Example: `  lens peek sourdough
  lens peek "rust async" --since "last 1y" --bin month
  lens peek --like 3f2ab81c
  lens peek sourdough --json | jq .histogram.total`,
		Args: func(cmd *cobra.Command, args []string) error {
			switch {
			case like == "":
				return atLeastOne("a query")(cmd, args)
			case len(args) > 0:
				return usage("remove one of them", "lens peek takes a query or --like, not both")
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, args []string) error { return s.peek(cmd, strings.Join(args, " "), like, n) },
	}
	n.addTo(cmd)
	n.addBinTo(cmd)
	cmd.Flags().IntVar(&n.snippets, "snippets", retrieval.DefaultSnippets, "how many matches to list")
	cmd.Flags().StringVar(&like, "like", "", "instead of a query: find turns like the one with this ID or unique prefix")
	return cmd
}

// atLeastOne rejects a verb without its argument.
func atLeastOne(what string) cobra.PositionalArgs {
	return func(cmd *cobra.Command, args []string) error {
		if len(args) > 0 && strings.TrimSpace(strings.Join(args, "")) != "" {
			return nil
		}
		example, _, _ := strings.Cut(strings.TrimSpace(cmd.Example), "\n")
		return usage("run, for example, "+example, "%s needs %s", cmd.CommandPath(), what)
	}
}

func (s *session) peek(cmd *cobra.Command, query, like string, n narrowing) error {
	opts, err := n.read(time.Now())
	if err != nil {
		return err
	}
	model := opts.Mode
	if like != "" {
		model = retrieval.Auto // the turn has a vector already
	}
	l, engine, err := s.engine(cmd, model)
	if err != nil {
		return err
	}
	if !s.globals.json {
		opts.AutoBins = s.autoBins()
	}
	var p *retrieval.Peek
	if like == "" {
		p, err = engine.Peek(cmd.Context(), query, opts)
	} else {
		p, err = engine.Like(cmd.Context(), like, opts)
	}
	if err != nil {
		return err
	}
	if s.globals.json {
		err = s.out.json(p)
	} else {
		s.notice(l, p, opts.Mode)
		err = s.showPeek(cmd.Context(), engine, p, opts)
	}
	if err == nil && p.Histogram.Total == 0 {
		err = errNothing
	}
	return err
}

// autoBins returns how many bins of a chart fit the screen.
func (s *session) autoBins() int {
	return min(retrieval.MaxAutoBins, chart.Columns(retrieval.MaxTopK, s.out.chart()))
}

// showPeek prints a peek for people: the chart, what it says, then the matches. It asks the engine for hints.
func (s *session) showPeek(
	ctx context.Context, engine *retrieval.Engine, p *retrieval.Peek, opts retrieval.PeekOptions,
) error {
	h, err := hintsFor(ctx, engine, p, opts)
	if err != nil {
		return err
	}
	if h.meant != "" {
		s.out.println("Did you mean " + s.out.bold(cleantext.Line(h.meant)) + "?")
	}
	if p.Histogram.Total == 0 {
		if p.Coverage.Candidates == 0 {
			s.out.println("No turns match these filters. Run lens activity to see when there are some.")
		} else {
			s.out.printf("No matches among %s.\n", count(p.Coverage.Candidates, "turn"))
		}
		s.showTitles(h.titled)
		return nil
	}
	s.out.println(s.out.bold(s.summary(p)))
	if p.Coverage.Faint {
		s.out.println(s.out.faint("No clear match; showing the nearest."))
	}
	s.out.printf("%s", chart.Peek(p, s.out.chart()))
	s.showWhen(p)
	s.showTitles(h.titled)
	for i := range p.Matches {
		s.showMatch(i+1, &p.Matches[i])
	}
	if len(p.Matches) > 0 {
		s.out.println()
		s.out.println(s.out.faint("lens turn ID shows a turn in full; lens peek --like ID finds more like it"))
	}
	return nil
}

func (s *session) summary(p *retrieval.Peek) string {
	parts := []string{count(p.Histogram.Total, "turn")}
	if p.Coverage.Truncated {
		parts[0] = "the best " + grouped(p.Histogram.Total) + " of " + grouped(p.Coverage.Matching) + " matches"
	}
	if p.Histogram.Undated > 0 {
		parts = append(parts, fmt.Sprintf("%d undated", p.Histogram.Undated))
	}
	parts = append(parts, by(p.Histogram.Bin), string(p.Mode), fmt.Sprintf("%.0f ms", p.Timing.Total))
	return strings.Join(parts, s.out.sign(" · ", ", "))
}

const shortID = 13 // characters of an ID that lists show: enough to be unique in any archive

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
	said := "You: "
	if m.Chunk != nil {
		said = "In: "
	}
	parts := []struct{ sign, text string }{
		{said, m.UserSnippet},
		{s.out.sign("→ ", "-> "), m.AssistantSnippet},
	}
	for _, part := range parts {
		if part.text != "" {
			s.out.printf("     %s%s\n", s.out.faint(part.sign), s.out.line(part.text, s.out.width-5-len(part.sign)))
		}
	}
}
