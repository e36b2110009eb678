package main

import (
	"cmp"
	"time"

	"github.com/spf13/cobra"

	"lens/internal/chart"
	"lens/retrieval"
	"lens/retrieval/query"
)

func newActivityCmd(env *Env) *cobra.Command {
	var f filterFlags
	var bin string
	cmd := &cobra.Command{
		Use:   "activity",
		Short: "Show all turns over time",
		Example: `  lens activity
  lens activity --since 2024 --bin week`,
		RunE: func(cmd *cobra.Command, _ []string) error { return runActivity(cmd, env, f, bin) },
	}
	f.addTo(cmd, query.ActivityFilters())
	addBin(cmd, &bin)
	return cmd
}

func runActivity(cmd *cobra.Command, env *Env, f filterFlags, bin string) error {
	q := query.Query{Bin: bin, AutoBins: env.autoBins()}
	if err := f.apply(&q.Filter, time.Now()); err != nil {
		return err
	}
	if err := cmp.Or(usageOf(q.Filter.Validate(q)), checkBin(bin)); err != nil {
		return err
	}
	_, engine, err := env.Engine(cmd, query.Keyword, q)
	if err != nil {
		return err
	}
	a, err := engine.Activity(cmd.Context(), q)
	if err != nil {
		return err
	}
	return env.PrintFound(a.Histogram.Total, a, func() {
		env.printLeftOut(a.Notice)
		printActivity(env.Out, a)
	})
}

func printActivity(out *screen, a *retrieval.Activity) {
	h := a.Histogram
	if h.Total == 0 {
		out.println("No turns to show. Widen the filters, or run lens import PATH if the archive is empty.")
		return
	}
	parts := []string{count(h.Total, "turn")}
	if h.Undated > 0 {
		parts = append(parts, grouped(h.Undated)+" undated")
	}
	parts = append(parts, by(h.Bin))
	out.println(out.bold(out.list(parts...)))
	out.printf("%s", chart.Text(histogramOf(h), out.chart()))
}
