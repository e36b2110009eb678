package main

import (
	"time"

	"github.com/spf13/cobra"

	"lens/internal/chart"
	"lens/retrieval"
)

func newCompareCmd(env *Env) *cobra.Command {
	n := narrowing{topK: retrieval.MaxTopK}
	var t thenNow
	cmd := &cobra.Command{
		Use:   "compare QUERY QUERY…",
		Short: "Compare queries over time, or one query in two periods",
		Long: unwrap(`Draws several queries over time in one chart. With --then, compares how often one query came up in two
periods.

It counts more turns than lens peek does, so that the chart shows the overall shape.`),
		Example: `  lens compare rust python
  lens compare "job interview" "salary" --bin quarter
  lens compare sourdough --then 2023 --now 2024`,
		Args: atLeastOne("queries"),
		RunE: func(cmd *cobra.Command, args []string) error {
			if t == (thenNow{}) {
				return runCompare(cmd, env, args, n)
			}
			if len(args) > 1 {
				return usage("quote a query of several words", "lens compare takes one query with --then")
			}
			return runContrast(cmd, env, args[0], t, n)
		},
	}
	n.addTo(cmd)
	n.addBinTo(cmd)
	t.addTo(cmd)
	cmd.Flags().IntVar(&n.snippets, "snippets", 3, "with --then: how many matches to list for each period")
	return cmd
}

func runCompare(cmd *cobra.Command, env *Env, queries []string, n narrowing) error {
	if len(queries) > retrieval.MaxCompared {
		return usage("", "lens compare takes at most %d queries", retrieval.MaxCompared)
	}
	opts, err := n.read(time.Now())
	if err != nil {
		return err
	}
	opts.Snippets = 1
	l, engine, err := env.Engine(cmd, opts.Mode)
	if err != nil {
		return err
	}
	if !env.JSON {
		opts.AutoBins = autoBins(env.Out)
	}
	c, err := engine.Compare(cmd.Context(), queries, opts)
	if err != nil {
		return err
	}
	if env.JSON {
		err = env.Out.json(c)
	} else {
		printNotice(env, l, c.Peeks[0], opts.Mode)
		printComparison(env.Out, c, queries)
	}
	if err == nil && found(c) == 0 {
		err = errNothing
	}
	return err
}

func found(c *retrieval.Comparison) int {
	total := 0
	for _, p := range c.Peeks {
		total += p.Histogram.Total
	}
	return total
}

func printComparison(out *screen, c *retrieval.Comparison, queries []string) {
	if found(c) == 0 {
		out.println("No matches for any of these queries.")
		return
	}
	series := make([]chart.Series, len(queries))
	for i, q := range queries {
		series[i] = seriesOf(c.Peeks[i], q)
	}
	out.println(out.bold(by(c.Bin) + out.sign(" · ", ", ") + string(c.Peeks[0].Mode)))
	out.printf("%s", chart.Comparison(series, out.chart()))
}
