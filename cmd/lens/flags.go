package main

import (
	"cmp"
	"errors"
	"slices"
	"strings"
	"time"

	"github.com/google/uuid"
	"github.com/spf13/cobra"

	"lens/internal/errs"
	"lens/retrieval/query"
	"lens/retrieval/timebin"
)

// windowFlags holds the flags --since, --until and --bin, as they were typed.
type windowFlags struct{ since, until, bin string }

func (w *windowFlags) addTo(cmd *cobra.Command) {
	cmd.Flags().StringVar(&w.since, "since", "",
		"from this time on: 2024-05, 2024-05-03, yesterday, last 90d, or a range such as 2024-05..2024-06")
	cmd.Flags().StringVar(&w.until, "until", "", "before this time, which is not included")
}

func (w *windowFlags) addBinTo(cmd *cobra.Command) {
	cmd.Flags().StringVar(&w.bin, "bin", "auto",
		"width of a bin: auto, hour, day, week, month, quarter, year, or several days or hours such as 3d or 6h")
}

// read returns the half-open window [since, until); a zero end is open.
func (w *windowFlags) read(now time.Time) (since, until time.Time, err error) {
	if w.since != "" {
		span, err := timebin.ParseSpan(w.since, now)
		if err != nil {
			return since, until, wrongTime("--since", w.since, err)
		}
		since = span.Since
		if isRange(w.since) {
			since, until = span.Since, span.Until
		}
	}
	if isRange(w.until) {
		return since, until, usage("use --since 2024-05..2024-06", "--until takes one time, not a range")
	}
	if w.until != "" {
		span, err := timebin.ParseSpan(w.until, now)
		if err != nil {
			return since, until, wrongTime("--until", w.until, err)
		}
		until = span.Since
	}
	if !since.IsZero() && !until.IsZero() && !since.Before(until) {
		return since, until, usage("--until is not included: to include May 2024, use --until 2024-06",
			"--until must be after --since")
	}
	if _, err := timebin.Parse(w.bin); err != nil {
		return since, until, wrongTime("--bin", w.bin, err)
	}
	return since, until, nil
}

// filterFlags holds the flags that filter and rank a search.
type filterFlags struct {
	windowFlags
	sourceFlag
	topK, snippets int
	conversation   string
	mode           string
	branches       bool
}

func (n *filterFlags) addTo(cmd *cobra.Command) {
	n.windowFlags.addTo(cmd)
	n.sourceFlag.addTo(cmd)
	flags := cmd.Flags()
	flags.IntVar(&n.topK, "top-k", cmp.Or(n.topK, query.DefaultTopK), "how many turns to find")
	flags.StringVar(&n.conversation, "conversation", "", "only the conversation with this ID")
	flags.StringVar(&n.mode, "mode", string(query.Auto),
		"ranking mode: auto, keyword (by words), dense (by meaning) or hybrid (both)")
	flags.BoolVar(&n.branches, "all-branches", false, "include abandoned branches")
}

// read returns the query of the flags, without words, or a usage error.
func (n *filterFlags) read(now time.Time) (q query.Query, err error) {
	f := &q.Filter
	if f.Since, f.Until, err = n.windowFlags.read(now); err != nil {
		return q, err
	}
	if n.topK < 1 || n.topK > query.MaxTopK {
		return q, usage("", "--top-k must be between 1 and %d", query.MaxTopK)
	}
	if n.snippets < 0 || n.snippets > query.MaxSnippets {
		return q, usage("", "--snippets must be between 0 and %d", query.MaxSnippets)
	}
	id, err := readID("--conversation", n.conversation)
	if err != nil {
		return q, err
	}
	if id != uuid.Nil {
		f.Conversations.In = []uuid.UUID{id}
	}
	if f.Sources.In = n.sourceFlag; n.sourceFlag.check() != nil {
		return q, n.sourceFlag.check()
	}
	if q.Mode = query.Mode(n.mode); !slices.Contains(query.Modes, q.Mode) {
		return q, usage("use auto, dense, hybrid or keyword", "unknown mode %q", n.mode)
	}
	q.Bin, q.TopK, q.Snippets, f.Branches = n.bin, &n.topK, &n.snippets, n.branches
	return q, nil
}

// readID parses the ID of a conversation; "" is uuid.Nil.
func readID(flag, text string) (uuid.UUID, error) {
	if text == "" {
		return uuid.Nil, nil
	}
	id, err := uuid.Parse(text)
	if err != nil {
		return id, usage("run lens turn ID to see the ID of its conversation", "%s takes a full conversation ID", flag)
	}
	return id, nil
}

func isRange(text string) bool { return strings.Contains(text, "..") }

// wrongTime returns the usage error for a flag whose text is not a time or a bin.
func wrongTime(flag, text string, err error) error {
	var wrong *errs.Error
	if errors.As(err, &wrong) {
		return usage(wrong.Hint, "%s %q: %s", flag, text, wrong.Message)
	}
	return usage("", "%s %q: %s", flag, text, err)
}

// knownSources are the sources that turns can come from.
var knownSources = []string{"chatgpt", "claude", "gemini", "documents", "chunks"}

// sourceFlag is the flag --source, which restricts a search to some sources.
type sourceFlag []string

func (s *sourceFlag) addTo(cmd *cobra.Command) {
	text := "only this source (repeatable): " + strings.Join(knownSources, ", ")
	cmd.Flags().StringSliceVar((*[]string)(s), "source", nil, text)
}

func (s sourceFlag) check() error {
	for _, name := range s {
		if !slices.Contains(knownSources, name) {
			return usage("use one of "+strings.Join(knownSources, ", "), "unknown source %q", name)
		}
	}
	return nil
}
