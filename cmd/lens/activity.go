package main

import (
	"time"

	"github.com/spf13/cobra"

	"lens/internal/chart"
	"lens/retrieval"
	"lens/retrieval/query"
)

func newActivityCmd(env *Env) *cobra.Command {
	var w windowFlags
	var from sourceFlag
	cmd := &cobra.Command{
		Use:   "activity",
		Short: "Show all turns over time",
		Example: `  lens activity
  lens activity --since 2024 --bin week`,
		RunE: func(cmd *cobra.Command, _ []string) error { return runActivity(cmd, env, w, from) },
	}
	w.addTo(cmd)
	w.addBinTo(cmd)
	from.addTo(cmd)
	return cmd
}

func runActivity(cmd *cobra.Command, env *Env, w windowFlags, from sourceFlag) error {
	since, until, err := w.read(time.Now())
	if err == nil {
		err = from.check()
	}
	if err != nil {
		return err
	}
	_, engine, err := env.Engine(cmd, query.Auto)
	if err != nil {
		return err
	}
	a, err := engine.Activity(cmd.Context(), query.Query{Bin: w.bin, AutoBins: env.autoBins(), Filter: query.Filter{Since: since, Until: until, Sources: query.Values[string]{In: from}}})
	if err != nil {
		return err
	}
	return env.PrintFound(a.Histogram.Total, a, func() { printActivity(env.Out, a) })
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
