package main

import (
	"strings"
	"time"

	"github.com/spf13/cobra"

	"lens/retrieval"
	"lens/retrieval/query"
)

func newPeekCmd(env *Env) *cobra.Command {
	var n queryFlags
	var like string
	var noDates, explain bool
	cmd := &cobra.Command{
		Use:        "peek QUERY",
		SuggestFor: []string{"find"},
		Short:      "Find turns, and when they happened",
		Long: unwrap(`Finds the turns nearest to QUERY and charts when they happened. Several words make one query. With
filters alone, counts all turns that they let through and lists the newest.

A date in QUERY, such as "on 8 September 2023", "in May" or "last summer", moves turns near it up the list and removes
none; --since and --until set a strict window, and --no-dates takes the date as words. A QUERY that asks for nothing
but a time, such as "May 2023" or "what did I do last week", lists the turns of that time, the newest first.

The chart counts the best matches (--top-k); with --mode keyword, all turns that have all the words.

Below the chart are the number of all turns, the share that matched, and the peaks. A peak is a bin with more matches
than its number of turns explains (Fisher's exact test, corrected for the number of bins); a busy month alone does not
make a peak.`) + "\n\n" + grammarHelp,
		Example: `  lens peek sourdough
  lens peek "rust async" --since "last 1y" --bin month
  lens peek 'docker -django "compose file" source:claude'
  lens peek "what did I cook last summer"
  lens peek docker -- -django
  lens peek --like 3f2ab81c
  lens peek sourdough --json | jq .histogram.total`,
		Args: cobra.ArbitraryArgs,
		RunE: func(cmd *cobra.Command, args []string) error {
			dates := query.DatesSoft
			if noDates {
				dates = query.DatesOff
			}
			return runPeek(cmd, env, query.Query{Text: strings.Join(args, " "), Like: like, Dates: dates, Explain: explain}, n)
		},
	}
	n.addTo(cmd)
	addBin(cmd, &n.bin)
	cmd.Flags().IntVar(&n.snippets, "snippets", query.DefaultSnippets, "how many matches to list")
	cmd.Flags().StringVar(&like, "like", "", "instead of a query: find turns like the one with this ID or unique prefix")
	cmd.Flags().BoolVar(&noDates, "no-dates", false, "take a date in the query as words only: do not prefer turns near it")
	cmd.Flags().BoolVar(&explain, "explain", false, "say what the score of each match is made of")
	return cmd
}

// grammarHelp says how a query is typed.
const grammarHelp = `In a query, these are special:
  "exact phrase"   these words in this order, on one side of a turn
  -word, -"phrase" no turn with it
  key:value        a filter, such as since:2023-05, source:claude or title:invoice; -key:value leaves out
Quote the whole query for your shell: 'docker -django'. With --literal, everything is a plain word. lens help searching
lists all filters.`

// namesOnlyATime says that a query of ListDate, which lists so many turns, is one.
func namesOnlyATime(q query.Query, turns int) string {
	its := ""
	if turns > 0 {
		its = ", " + windowName(windowOf(q)) + ": these are its turns"
	}
	return "The query names only a time" + its + ". --no-dates searches for its words."
}

func windowOf(q query.Query) retrieval.Window {
	since, until := q.Window()
	return retrieval.Window{Since: since, Until: until}
}

// runPeek searches for typed, whose text is read with the flags.
func runPeek(cmd *cobra.Command, env *Env, typed query.Query, n queryFlags) error {
	q, err := n.read(env, typed.Text, time.Now())
	q.Like, q.Dates, q.Explain = typed.Like, typed.Dates, typed.Explain
	switch {
	case err != nil:
		return err
	case strings.TrimSpace(typed.Text) == "" && q.Like == "" && q.Filter.IsZero():
		return atLeastOne("a query or a filter")(cmd, nil)
	case q.Like != "" && q.HasWords():
		return usage("remove one of them", "lens peek takes a query or --like, not both")
	}
	err = q.Validate()
	if err == nil && q.Like != "" {
		err = retrieval.CheckTurnID(q.Like)
	}
	if err != nil {
		return usageOf(err)
	}
	a, engine, err := env.Engine(cmd, modelFor(q), q)
	if err != nil {
		return err
	}
	q.AutoBins = env.autoBins()
	q, dated, err := engine.ListDate(cmd.Context(), q, time.Now())
	if err != nil {
		return err
	}
	p, err := engine.Peek(cmd.Context(), q)
	if err != nil {
		return err
	}
	if dated {
		named := namesOnlyATime(q, p.Histogram.Total)
		p.Notice, p.LeftOut = strings.TrimSpace(p.Notice+" "+named), strings.TrimSpace(p.LeftOut+" "+named)
	}
	var hints peekHints
	if !env.JSON {
		if hints, err = findHints(cmd.Context(), engine, p, q); err != nil {
			return err
		}
	}
	return env.PrintFound(p.Histogram.Total, p, func() {
		printNotice(env, a, noticedIn(p), q.Mode)
		printPeek(env.Out, p, hints)
	})
}
