package main

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"lens/internal/chart"
	"lens/internal/cleantext"
	"lens/retrieval"
	"lens/retrieval/query"
	"lens/retrieval/timebin"
)

func newCompareCmd(env *Env) *cobra.Command {
	n := queryFlags{topK: query.MaxTopK}
	var t periodFlags
	cmd := &cobra.Command{
		Use:   "compare QUERY QUERY…",
		Short: "Compare queries over time, or one query in two periods",
		Long: unwrap(`Draws several queries over time in one chart. With --then, compares how often one query came up in two
periods, and charts each of them whole.

It counts more turns than lens peek does, so that the chart shows the overall shape.`),
		Example: `  lens compare rust python
  lens compare "job interview" "salary" --bin quarter
  lens compare sourdough --then 2023 --now 2024`,
		Args: atLeastOne("queries"),
		RunE: func(cmd *cobra.Command, args []string) error {
			if t == (periodFlags{}) {
				return runCompare(cmd, env, args, n)
			}
			if len(args) > 1 {
				return usage("quote a query of several words", "lens compare takes one query with --then")
			}
			return runContrast(cmd, env, args[0], t, n)
		},
	}
	n.addTo(cmd)
	addBin(cmd, &n.bin)
	t.addTo(cmd)
	cmd.Flags().IntVar(&n.snippets, "snippets", 3, "with --then: how many matches to list for each period")
	return cmd
}

func runCompare(cmd *cobra.Command, env *Env, queries []string, n queryFlags) error {
	if len(queries) > retrieval.MaxCompared {
		return usage("", "lens compare takes at most %d queries", retrieval.MaxCompared)
	}
	all := make([]query.Query, len(queries))
	now := time.Now()
	for i, text := range queries {
		q, err := n.parse(env, text, now)
		if err != nil {
			return err
		}
		q.Snippets, q.AutoBins = new(1), env.autoBins()
		all[i] = q
	}
	mode := modelFor(all...)
	a, engine, err := env.Engine(cmd, mode, all...)
	if err != nil {
		return err
	}
	c, err := engine.Compare(cmd.Context(), all)
	if err != nil {
		return err
	}
	total := 0
	for _, p := range c.Peeks {
		total += p.Histogram.Total
	}
	return env.PrintFound(total, c, func() {
		printNotice(env, a, noticed{c.Notice, c.LeftOut, total, c.Peeks[0].Coverage.Embedded}, mode)
		if total == 0 {
			env.Out.println("No matches for any of these queries.")
			return
		}
		printComparison(env.Out, c, queries)
	})
}

func printComparison(out *screen, c *retrieval.Comparison, queries []string) {
	series := make([]chart.Series, len(queries))
	for i, q := range queries {
		series[i] = seriesOf(c.Peeks[i], q)
	}
	out.println(out.bold(out.list(append([]string{by(c.Bin)}, modesOf(c.Peeks, queries)...)...)))
	out.printf("%s", chart.Comparison(series, out.chart()))
	if peaks := highestBins(c.Peeks, queries); len(peaks) > 0 {
		out.println("highest: " + out.list(peaks...))
	}
}

// highestBins says of each query with matches when most of them were: in the chart another line may cover that. It is
// empty if there is one bin.
func highestBins(peeks []*retrieval.Peek, queries []string) (all []string) {
	for i, p := range peeks {
		h, _, _ := p.Drawn()
		if len(h.Bins) < 2 {
			return nil
		}
		highest := slices.MaxFunc(h.Bins, func(a, b retrieval.HistogramBin) int { return cmp.Compare(a.Count, b.Count) })
		if highest.Count == 0 {
			continue
		}
		when := stretch(h.Bin, highest.Start, highest.End)
		others := slices.ContainsFunc(h.Bins, func(b retrieval.HistogramBin) bool {
			return b.Count == highest.Count && !b.Start.Equal(highest.Start)
		})
		if others {
			when = "first " + when
		}
		all = append(all, fmt.Sprintf("%s %s %s", cleantext.Line(queries[i]), grouped(highest.Count), when))
	}
	return all
}

// modesOf returns the mode that all queries were ranked by, or each mode with its queries.
func modesOf(peeks []*retrieval.Peek, queries []string) []string {
	of := map[query.Mode][]string{}
	var modes []query.Mode
	for i, p := range peeks {
		if of[p.Mode] == nil {
			modes = append(modes, p.Mode)
		}
		of[p.Mode] = append(of[p.Mode], cleantext.Line(queries[i]))
	}
	all := make([]string, len(modes))
	for i, mode := range modes {
		if all[i] = string(mode); len(modes) > 1 {
			all[i] += " (" + strings.Join(of[mode], ", ") + ")"
		}
	}
	return all
}

// periodFlags holds the flags --then and --now, as they were typed: the two windows that are compared.
type periodFlags struct{ then, now string }

func (t *periodFlags) addTo(cmd *cobra.Command) {
	cmd.Flags().StringVar(&t.then, "then", "", "first period of one query, such as 2023 or 2023-01..2023-06")
	cmd.Flags().StringVar(&t.now, "now", "", "second period (default: everything after the first)")
}

// read parses the flags. It returns a usage error for a flag that is missing or not a time.
func (t *periodFlags) read(at time.Time) (then, now retrieval.Window, err error) {
	if t.then == "" {
		return then, now, usage("use, for example, --then 2023 --now 2024", "--now needs --then")
	}
	if then, err = parsePeriod("--then", t.then, at); err != nil {
		return then, now, err
	}
	if t.now != "" {
		now, err = parsePeriod("--now", t.now, at)
		return then, now, err
	}
	if then.Until.IsZero() {
		return then, now, usage("add --now", "--then has no end, so nothing comes after it")
	}
	return then, retrieval.Window{Since: then.Until}, nil
}

func parsePeriod(flag, text string, at time.Time) (retrieval.Window, error) {
	span, err := timebin.ParseSpan(text, at)
	if err != nil {
		return retrieval.Window{}, wrongTime(flag, text, err)
	}
	return retrieval.Window{Since: span.Since, Until: span.Until}, nil
}

// runContrast compares how often a query came up in two windows.
func runContrast(cmd *cobra.Command, env *Env, text string, t periodFlags, n queryFlags) error {
	if n.given("since", "until") != "" {
		return usage("remove --since and --until", "--then and --now replace --since and --until")
	}
	now := time.Now()
	q, err := n.parse(env, text, now)
	if err != nil {
		return err
	}
	if since, until := q.Window(); !since.IsZero() || !until.IsZero() {
		return usage("remove since: and until:", "--then and --now replace the window of the query")
	}
	first, second, err := t.read(now)
	if err != nil {
		return err
	}
	a, engine, err := env.Engine(cmd, modelFor(q), q)
	if err != nil {
		return err
	}
	q.AutoBins = env.autoBins()
	c, err := engine.Contrast(cmd.Context(), q, first, second)
	if err != nil {
		return err
	}
	return env.PrintFound(c.Then.Count+c.Now.Count, c, func() {
		n := noticed{c.Notice, c.LeftOut, c.Then.Count + c.Now.Count, c.Then.Peek.Coverage.Embedded}
		printNotice(env, a, n, q.Mode)
		printContrast(env.Out, c, cmp.Or(c.Query, text))
	})
}

func printContrast(out *screen, c *retrieval.Contrast, query string) {
	if c.Then.Count+c.Now.Count == 0 {
		out.println("No matches in either period.")
		return
	}
	out.println(out.bold(out.list(cleantext.Line(query), string(c.Then.Peek.Mode))))
	out.println(describeContrast(c))
	halfHeight := out.chart() // the two charts stand one above the other and share one scale
	halfHeight.Height = 5
	for _, p := range []*retrieval.Peek{c.Then.Peek, c.Now.Peek} {
		drawn, _, _ := p.Drawn()
		halfHeight.ComparedWith = append(halfHeight.ComparedWith, histogramOf(drawn))
	}
	for _, side := range []struct {
		name   string
		period *retrieval.Period
	}{{"then", &c.Then}, {"now", &c.Now}} {
		p := side.period
		out.println()
		name := out.bold(fmt.Sprintf("%s: %s", side.name, windowName(p.Window)))
		out.println(out.list(name, fmt.Sprintf("%s of %s, %s", grouped(p.Count), count(p.Turns, "turn"), percent(p.Share))))
		out.printf("%s", peekChart(p.Peek, halfHeight))
		for i := range p.Peek.Matches {
			printMatch(out, i+1, &p.Peek.Matches[i])
		}
	}
}

// describeContrast says in a sentence how the second period differs from the first.
func describeContrast(c *retrieval.Contrast) string {
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
