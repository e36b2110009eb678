package main

import (
	"time"

	"github.com/spf13/cobra"

	"lens/internal/cleantext"
	"lens/internal/plot"
	"lens/retrieval"
)

func (s *session) compareCommand() *cobra.Command {
	n := narrowing{snippets: 1}
	cmd := &cobra.Command{
		Use:   "compare QUERY QUERY…",
		Short: "Several queries over time, in one chart",
		Example: `  lens compare rust python
  lens compare "job interview" "salary" --bin quarter`,
		Args: atLeastOne("queries"),
		RunE: func(cmd *cobra.Command, args []string) error { return s.compare(cmd, args, n) },
	}
	n.addTo(cmd)
	n.addBinTo(cmd)
	return cmd
}

func (s *session) compare(cmd *cobra.Command, queries []string, n narrowing) error {
	if len(queries) > retrieval.MaxCompared {
		return usage("", "lens compare takes up to %d queries", retrieval.MaxCompared)
	}
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
	c, err := engine.Compare(cmd.Context(), queries, opts)
	if err != nil {
		return err
	}
	if s.globals.json {
		err = s.out.json(c)
	} else {
		s.notice(l, c.Peeks[0], opts.Mode)
		s.showComparison(c, queries)
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

func (s *session) showComparison(c *retrieval.Comparison, queries []string) {
	if found(c) == 0 {
		s.out.println("Nothing found for any of them.")
		return
	}
	names := make([]string, len(queries))
	for i, q := range queries {
		names[i] = cleantext.Line(q)
	}
	s.out.println(s.out.bold("by " + c.Bin + s.out.sign(" · ", ", ") + string(c.Peeks[0].Mode)))
	s.out.printf("%s", plot.Comparison(c, names, s.out.chart()))
}
