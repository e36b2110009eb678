package main

import (
	"strings"
	"time"

	"github.com/spf13/cobra"

	"lens/internal/chart"
	"lens/retrieval"
)

func newActivityCmd(env *Env) *cobra.Command {
	var w window
	var from sources
	cmd := &cobra.Command{
		Use:   "activity",
		Short: "Show all turns over time",
		Example: `  lens activity
  lens activity --since 2024 --bin week`,
		Args: noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return runActivity(cmd, env, w, from) },
	}
	w.addTo(cmd)
	w.addBinTo(cmd)
	from.addTo(cmd)
	return cmd
}

// noArgs rejects arguments.
func noArgs(cmd *cobra.Command, args []string) error {
	if len(args) == 0 {
		return nil
	}
	return usage("run "+cmd.CommandPath()+" --help", "%s takes no arguments, got %q", cmd.CommandPath(), args[0])
}

func runActivity(cmd *cobra.Command, env *Env, w window, from sources) error {
	since, until, err := w.read(time.Now())
	if err == nil {
		err = from.check()
	}
	if err != nil {
		return err
	}
	_, engine, err := env.Engine(cmd, retrieval.Auto)
	if err != nil {
		return err
	}
	opts := retrieval.ActivityOptions{Since: since, Until: until, Sources: from, Bin: w.bin}
	if !env.JSON {
		opts.AutoBins = autoBins(env.Out)
	}
	a, err := engine.Activity(cmd.Context(), opts)
	if err != nil {
		return err
	}
	if env.JSON {
		err = env.Out.json(a)
	} else {
		printActivity(env.Out, a)
	}
	if err == nil && a.Histogram.Total == 0 {
		err = errNothing
	}
	return err
}

func printActivity(out *screen, a *retrieval.Activity) {
	h := a.Histogram
	if h.Total == 0 {
		out.println("No turns match these filters.")
		return
	}
	parts := []string{count(h.Total, "turn")}
	if h.Undated > 0 {
		parts = append(parts, grouped(h.Undated)+" undated")
	}
	parts = append(parts, by(h.Bin))
	out.println(out.bold(strings.Join(parts, out.sign(" · ", ", "))))
	out.printf("%s", chart.Text(histogramOf(h), out.chart()))
}
