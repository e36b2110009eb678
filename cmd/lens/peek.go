package main

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"lens/internal/cleantext"
	"lens/retrieval"
)

func newPeekCmd(env *Env) *cobra.Command {
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
		RunE: func(cmd *cobra.Command, args []string) error {
			return runPeek(cmd, env, strings.Join(args, " "), like, n)
		},
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

func runPeek(cmd *cobra.Command, env *Env, query, like string, n narrowing) error {
	opts, err := n.read(time.Now())
	if err != nil {
		return err
	}
	model := opts.Mode
	if like != "" {
		model = retrieval.Auto // the turn has a vector already
	}
	l, engine, err := env.Engine(cmd, model)
	if err != nil {
		return err
	}
	if !env.JSON {
		opts.AutoBins = autoBins(env.Out)
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
	if env.JSON {
		err = env.Out.json(p)
	} else {
		printNotice(env, l, p, opts.Mode)
		err = printPeek(cmd.Context(), env.Out, engine, p, opts)
	}
	if err == nil && p.Histogram.Total == 0 {
		err = errNothing
	}
	return err
}

// autoBins returns how many bins of a chart fit the screen.
func autoBins(out *screen) int {
	return min(retrieval.MaxAutoBins, out.chart().Columns(retrieval.MaxTopK))
}

// showPeek prints a peek for people: the chart, what it says, then the matches. It asks the engine for hints.
func printPeek(
	ctx context.Context, out *screen, engine *retrieval.Engine, p *retrieval.Peek, opts retrieval.PeekOptions,
) error {
	h, err := hintsFor(ctx, engine, p, opts)
	if err != nil {
		return err
	}
	if h.meant != "" {
		out.println("Did you mean " + out.bold(cleantext.Line(h.meant)) + "?")
	}
	if p.Histogram.Total == 0 {
		if p.Coverage.Candidates == 0 {
			out.println("No turns match these filters. Run lens activity to see when there are some.")
		} else {
			out.printf("No matches among %s.\n", count(p.Coverage.Candidates, "turn"))
		}
		printTitles(out, h.titled)
		return nil
	}
	out.println(out.bold(peekSummary(out, p)))
	if p.Coverage.Faint {
		out.println(out.faint("No clear match; showing the nearest."))
	}
	out.printf("%s", peekChart(p, out.chart()))
	printTimes(out, p)
	printTitles(out, h.titled)
	for i := range p.Matches {
		printMatch(out, i+1, &p.Matches[i])
	}
	if len(p.Matches) > 0 {
		out.println()
		out.println(out.faint("lens turn ID shows a turn in full; lens peek --like ID finds more like it"))
	}
	return nil
}

func peekSummary(out *screen, p *retrieval.Peek) string {
	parts := []string{count(p.Histogram.Total, "turn")}
	if p.Coverage.Truncated {
		parts[0] = "the best " + grouped(p.Histogram.Total) + " of " + grouped(p.Coverage.Matching) + " matches"
	}
	if p.Histogram.Undated > 0 {
		parts = append(parts, fmt.Sprintf("%d undated", p.Histogram.Undated))
	}
	parts = append(parts, by(p.Histogram.Bin), string(p.Mode), fmt.Sprintf("%.0f ms", p.Timing.Total))
	return strings.Join(parts, out.sign(" · ", ", "))
}

const shortID = 13 // characters of an ID that lists show: enough to be unique in any archive

func printMatch(out *screen, rank int, m *retrieval.Match) {
	branch := ""
	if !m.OnPath {
		branch = "  (branch)"
	}
	left := fmt.Sprintf("%3d  %s  ", rank, day(m.Time))
	right := fmt.Sprintf("%s  %.3f  %s", branch, m.Score, m.TurnID.String()[:shortID])
	title := out.line(m.Title, out.width-len(left)-len(right))
	out.println()
	out.printf("%s%s%s\n", left, out.bold(title), out.faint(right))
	said := "You: "
	if m.Chunk != nil {
		said = "In: "
	}
	parts := []struct{ sign, text string }{
		{said, m.UserSnippet},
		{out.sign("→ ", "-> "), m.AssistantSnippet},
	}
	for _, part := range parts {
		if part.text != "" {
			out.printf("     %s%s\n", out.faint(part.sign), out.line(part.text, out.width-5-len(part.sign)))
		}
	}
}
