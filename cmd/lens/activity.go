package main

import (
	"strings"
	"time"

	"github.com/spf13/cobra"

	"lens/internal/chart"
	"lens/retrieval"
)

func (s *session) activityCommand() *cobra.Command {
	var w window
	var from sources
	cmd := &cobra.Command{
		Use:   "activity",
		Short: "Show all turns over time",
		Example: `  lens activity
  lens activity --since 2024 --bin week`,
		Args: none,
		RunE: func(cmd *cobra.Command, _ []string) error { return s.activity(cmd, w, from) },
	}
	w.addTo(cmd)
	w.addBinTo(cmd)
	from.addTo(cmd)
	return cmd
}

// none rejects arguments.
func none(cmd *cobra.Command, args []string) error {
	if len(args) == 0 {
		return nil
	}
	return usage("run "+cmd.CommandPath()+" --help", "%s takes no arguments, got %q", cmd.CommandPath(), args[0])
}

func (s *session) activity(cmd *cobra.Command, w window, from sources) error {
	since, until, err := w.read(time.Now())
	if err == nil {
		err = from.check()
	}
	if err != nil {
		return err
	}
	_, engine, err := s.engine(cmd, retrieval.Auto)
	if err != nil {
		return err
	}
	opts := retrieval.ActivityOptions{Since: since, Until: until, Sources: from, Bin: w.bin}
	if !s.globals.json {
		opts.AutoBins = s.autoBins()
	}
	a, err := engine.Activity(cmd.Context(), opts)
	if err != nil {
		return err
	}
	if s.globals.json {
		err = s.out.json(a)
	} else {
		s.showActivity(a)
	}
	if err == nil && a.Histogram.Total == 0 {
		err = errNothing
	}
	return err
}

func (s *session) showActivity(a *retrieval.Activity) {
	h := a.Histogram
	if h.Total == 0 {
		s.out.println("No turns match these filters.")
		return
	}
	parts := []string{count(h.Total, "turn")}
	if h.Undated > 0 {
		parts = append(parts, grouped(h.Undated)+" undated")
	}
	parts = append(parts, by(h.Bin))
	s.out.println(s.out.bold(strings.Join(parts, s.out.sign(" · ", ", "))))
	s.out.printf("%s", chart.Histogram(h, s.out.chart()))
}
