package main

import (
	"fmt"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"lens/internal/chart"
	"lens/internal/cleantext"
	"lens/retrieval"
	"lens/retrieval/timebin"
)

// thenNow holds the flags --then and --now, as they were typed: the two windows that are compared.
type thenNow struct{ then, now string }

func (t *thenNow) addTo(cmd *cobra.Command) {
	cmd.Flags().StringVar(&t.then, "then", "", "first period of one query, such as 2023 or 2023-01..2023-06")
	cmd.Flags().StringVar(&t.now, "now", "", "second period (default: everything after the first)")
}

// read parses the flags. It returns a usage error for a flag that is missing or not a time.
func (t *thenNow) read(at time.Time) (then, now retrieval.Window, err error) {
	if t.then == "" {
		return then, now, usage("use, for example, --then 2023 --now 2024", "--now needs --then")
	}
	if then, err = readWindow("--then", t.then, at); err != nil {
		return then, now, err
	}
	if t.now != "" {
		now, err = readWindow("--now", t.now, at)
		return then, now, err
	}
	if then.Until.IsZero() {
		return then, now, usage("add --now", "--then has no end, so nothing comes after it")
	}
	return then, retrieval.Window{Since: then.Until}, nil
}

func readWindow(flag, text string, at time.Time) (retrieval.Window, error) {
	span, err := timebin.ParseSpan(text, at)
	if err != nil {
		return retrieval.Window{}, wrongTime(flag, text, err)
	}
	return retrieval.Window{Since: span.Since, Until: span.Until}, nil
}

// contrast compares how often a query came up in two windows.
func runContrast(cmd *cobra.Command, env *Env, query string, t thenNow, n narrowing) error {
	if n.since != "" || n.until != "" {
		return usage("remove --since and --until", "--then and --now replace --since and --until")
	}
	now := time.Now()
	opts, err := n.read(now)
	if err != nil {
		return err
	}
	first, second, err := t.read(now)
	if err != nil {
		return err
	}
	l, engine, err := env.Engine(cmd, opts.Mode)
	if err != nil {
		return err
	}
	if !env.JSON {
		opts.AutoBins = autoBins(env.Out)
	}
	c, err := engine.Contrast(cmd.Context(), query, first, second, opts)
	if err != nil {
		return err
	}
	if env.JSON {
		err = env.Out.json(c)
	} else {
		printNotice(env, l, c.Then.Peek, opts.Mode)
		printContrast(env.Out, c)
	}
	if err == nil && c.Then.Count+c.Now.Count == 0 {
		err = errNothing
	}
	return err
}

func printContrast(out *screen, c *retrieval.Contrast) {
	if c.Then.Count+c.Now.Count == 0 {
		out.println("No matches in either period.")
		return
	}
	out.println(out.bold(cleantext.Line(c.Query) + out.sign(" · ", ", ") + string(c.Then.Peek.Mode)))
	out.println(contrastVerdict(out, c))
	for _, side := range []struct {
		name   string
		period *retrieval.Period
	}{{"then", &c.Then}, {"now", &c.Now}} {
		p := side.period
		out.println()
		out.println(out.bold(fmt.Sprintf("%s: %s", side.name, windowName(p.Window))) + out.sign(" · ", ", ") +
			fmt.Sprintf("%s of %s, %s", grouped(p.Count), count(p.Turns, "turn"), percent(p.Share)))
		out.printf("%s", peekChart(p.Peek, periodChart(out, c)))
		for i := range p.Peek.Matches {
			printMatch(out, i+1, &p.Peek.Matches[i])
		}
	}
}

// periodChart returns the options of a chart of half the height: the two charts stand one above the other and share one
// scale.
func periodChart(out *screen, c *retrieval.Contrast) chart.Options {
	opts := out.chart()
	opts.Height, opts.ComparedWith = 5, []chart.Histogram{
		histogramOf(c.Then.Peek.Histogram), histogramOf(c.Now.Peek.Histogram),
	}
	return opts
}

// verdict describes in a sentence how the second period differs from the first.
func contrastVerdict(out *screen, c *retrieval.Contrast) string {
	const clear = 0.05
	switch {
	case c.Then.Turns == 0 || c.Now.Turns == 0:
		return "Nothing to compare: one of the periods has no turns."
	case c.P > clear:
		return "No clear difference in frequency (" + chance(c.P) + ")."
	case c.Change == nil:
		return "New: no matches in the first period (" + chance(c.P) + ")."
	case *c.Change == 0:
		return "Gone: no matches in the second period (" + chance(c.P) + ")."
	case *c.Change > 1:
		return fmt.Sprintf("%.1f times as frequent now, relative to all turns (%s).", *c.Change, chance(c.P))
	}
	return fmt.Sprintf("%.1f times as frequent then, relative to all turns (%s).", 1 / *c.Change, chance(c.P))
}

// percent writes a share as people do: 6.7%.
func percent(share float64) string {
	switch p := 100 * share; {
	case share == 0:
		return "none"
	case p < 0.1:
		return "under 0.1%"
	case p < 10:
		return strings.TrimSuffix(fmt.Sprintf("%.1f", p), ".0") + "%"
	default:
		return fmt.Sprintf("%.0f%%", p)
	}
}
