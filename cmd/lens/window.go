package main

import (
	"cmp"
	"errors"
	"strings"
	"time"

	"github.com/google/uuid"
	"github.com/spf13/cobra"

	"lens/retrieval"
	"lens/retrieval/timebin"
)

// window is the flags that narrow time, as they were typed.
type window struct{ since, until, bin string }

func (w *window) addTo(cmd *cobra.Command) {
	cmd.Flags().StringVar(&w.since, "since", "", "from the beginning of this time: 2024-05, 2024-05-03, yesterday, last 90d, or a range such as 2024-05..2024-06")
	cmd.Flags().StringVar(&w.until, "until", "", "up to the beginning of this time, which is not included")
}

func (w *window) addBinTo(cmd *cobra.Command) {
	cmd.Flags().StringVar(&w.bin, "bin", "auto", "width of a bin: auto, hour, day, week, month, quarter, year, or several days or hours: 3d, 6h")
}

// read returns the half-open stretch that is meant; a zero end is open.
func (w *window) read(now time.Time) (since, until time.Time, err error) {
	if w.since != "" {
		span, err := timebin.ParseSpan(w.since, now)
		if err != nil {
			return since, until, wrongTime("--since", err)
		}
		since = span.Since
		if isRange(w.since) {
			since, until = span.Since, span.Until
		}
	}
	if isRange(w.until) {
		return since, until, usage("give the range to --since: --since 2024-05..2024-06", "--until takes one time, not a range")
	}
	if w.until != "" {
		span, err := timebin.ParseSpan(w.until, now)
		if err != nil {
			return since, until, wrongTime("--until", err)
		}
		until = span.Since
	}
	if !since.IsZero() && !until.IsZero() && !since.Before(until) {
		return since, until, usage("--until is not included: up to the end of May is --until 2024-06", "--until does not come after --since")
	}
	if _, err := timebin.Parse(w.bin); err != nil {
		return since, until, wrongTime("--bin", err)
	}
	return since, until, nil
}

// narrowing is the flags of a search.
type narrowing struct {
	window
	sources
	topK, snippets int
	conversation   string
	mode           string
	branches       bool
}

func (n *narrowing) addTo(cmd *cobra.Command) {
	n.window.addTo(cmd)
	n.sources.addTo(cmd)
	flags := cmd.Flags()
	flags.IntVar(&n.topK, "top-k", cmp.Or(n.topK, retrieval.DefaultTopK), "how many turns are found")
	flags.StringVar(&n.conversation, "conversation", "", "only turns of the conversation with this id")
	flags.StringVar(&n.mode, "mode", string(retrieval.Auto), "way of ranking: auto, dense, hybrid or keyword")
	flags.BoolVar(&n.branches, "all-branches", false, "also turns that were edited away or retried")
}

// read returns the options that are meant.
func (n *narrowing) read(now time.Time) (o retrieval.PeekOptions, err error) {
	if o.Since, o.Until, err = n.window.read(now); err != nil {
		return o, err
	}
	if n.topK < 1 || n.topK > retrieval.MaxTopK {
		return o, usage("", "--top-k must be between 1 and %d", retrieval.MaxTopK)
	}
	if n.snippets < 0 || n.snippets > retrieval.MaxSnippets {
		return o, usage("", "--snippets must be between 0 and %d", retrieval.MaxSnippets)
	}
	if o.Conversation, err = readID("--conversation", n.conversation); err != nil {
		return o, err
	}
	if o.Sources = n.sources; n.sources.check() != nil {
		return o, n.sources.check()
	}
	switch m := retrieval.Mode(n.mode); m {
	case retrieval.Auto, retrieval.Dense, retrieval.Hybrid, retrieval.Keyword:
		o.Mode = m
	default:
		return o, usage("use auto, dense, hybrid or keyword", "--mode has no such way of ranking")
	}
	o.Bin, o.TopK, o.Snippets, o.AllBranches = n.bin, n.topK, n.snippets, n.branches
	if n.snippets == 0 {
		o.Snippets = -1 // for retrieval, 0 means the default
	}
	return o, nil
}

// readID reads the id of a conversation; "" is uuid.Nil.
func readID(flag, text string) (uuid.UUID, error) {
	if text == "" {
		return uuid.Nil, nil
	}
	id, err := uuid.Parse(text)
	if err != nil {
		return id, usage("lens turn ID shows the id of its conversation", "%s takes the whole id of a conversation", flag)
	}
	return id, nil
}

func isRange(text string) bool { return strings.Contains(text, "..") }

// wrongTime says which flag could not be read, and what could be.
func wrongTime(flag string, err error) error {
	var told *timebin.Error
	if errors.As(err, &told) {
		return usage(told.Hint, "%s: %s", flag, told.Message)
	}
	return usage("", "%s: %s", flag, err)
}
