package main

import (
	"strings"
	"time"

	"github.com/spf13/cobra"

	"lens/retrieval"
)

func newPeekCmd(env *Env) *cobra.Command {
	var n filterFlags
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

func runPeek(cmd *cobra.Command, env *Env, query, like string, n filterFlags) error {
	opts, err := n.read(time.Now())
	if err != nil {
		return err
	}
	model := opts.Mode
	if like != "" {
		model = retrieval.Auto // the turn has a vector already
	}
	a, engine, err := env.Engine(cmd, model)
	if err != nil {
		return err
	}
	opts.AutoBins = env.autoBins()
	var p *retrieval.Peek
	if like == "" {
		p, err = engine.Peek(cmd.Context(), query, opts)
	} else {
		p, err = engine.Like(cmd.Context(), like, opts)
	}
	if err != nil {
		return err
	}
	var hints peekHints
	if !env.JSON {
		if hints, err = findHints(cmd.Context(), engine, p, opts); err != nil {
			return err
		}
	}
	return env.PrintFound(p.Histogram.Total, p, func() {
		printNotice(env, a, p, opts.Mode)
		printPeek(env.Out, p, hints)
	})
}
