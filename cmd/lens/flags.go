package main

import (
	"cmp"
	"errors"
	"slices"
	"strings"
	"time"

	"github.com/google/uuid"
	"github.com/spf13/cobra"

	"lens/internal/cleantext"
	"lens/internal/errs"
	"lens/retrieval/query"
	"lens/retrieval/timebin"
)

// filterFlag is the flag of a filter, with the values that were typed.
type filterFlag struct {
	query.Field
	values []string
}

// Set implements pflag.Value. The values are read when all flags are known.
func (f *filterFlag) Set(text string) error {
	if f.Many && f.Kind == query.Choice {
		f.values = append(f.values, strings.Split(text, ",")...)
		return nil
	}
	f.values = append(f.values, text)
	return nil
}

// String implements pflag.Value.
func (f *filterFlag) String() string { return strings.Join(f.values, ",") }

// Type implements pflag.Value.
func (f *filterFlag) Type() string {
	if f.Kind == query.Switch {
		return "bool"
	}
	return "string"
}

// filterFlags holds the flags of query.Filters.
type filterFlags struct{ flags []*filterFlag }

// addTo adds the flags of filters.
func (f *filterFlags) addTo(cmd *cobra.Command, filters []query.Field) {
	for _, field := range filters {
		flag := &filterFlag{Field: field}
		f.flags = append(f.flags, flag)
		usage := field.Doc
		if field.Many {
			usage += " (repeatable)"
		}
		if len(field.Values) > 0 {
			usage += ": " + strings.Join(field.Values, ", ")
			complete := cobra.FixedCompletions(field.Values, cobra.ShellCompDirectiveNoFileComp)
			defer func() { _ = cmd.RegisterFlagCompletionFunc(field.Flag, complete) }()
		}
		added := cmd.Flags().VarPF(flag, field.Flag, "", usage)
		if field.Kind == query.Switch {
			added.NoOptDefVal = "true"
		}
	}
}

// given returns the flag of the first of these filters that was typed, "" for none.
func (f *filterFlags) given(keys ...string) string {
	for _, flag := range f.flags {
		if slices.Contains(keys, flag.Key) && len(flag.values) > 0 {
			return "--" + flag.Flag
		}
	}
	return ""
}

// apply adds the flags to a filter, which may hold filters of the typed query. Its errors are usage errors.
func (f *filterFlags) apply(to *query.Filter, now time.Time) error {
	for _, flag := range f.flags {
		switch {
		case flag.Many || len(flag.values) == 0:
		case len(flag.values) > 1:
			return usage("remove one of them", "--%s is given twice", flag.Flag)
		case len(flag.Strings(*to)) > 0:
			return usage("remove one of them", "the query has %s:, and --%s is given, too", flag.Key, flag.Flag)
		}
	}
	for _, flag := range f.flags {
		for _, value := range flag.values {
			if err := flag.Field.Set(to, value, false, now); err != nil {
				return refused(flag.Flag, value, err)
			}
		}
	}
	return nil
}

// refused returns the usage error for a flag whose value was refused.
func refused(flag, value string, err error) error {
	var wrong *errs.Error
	if errors.As(err, &wrong) {
		return usage(wrong.Hint, "--%s %q %s", flag, value, wrong.Message)
	}
	return usage("", "--%s %q: %s", flag, value, err)
}

// queryFlags holds the flags that filter, rank and count a search.
type queryFlags struct {
	filterFlags
	topK, snippets int
	mode, bin      string
	literal        bool
}

func (n *queryFlags) addTo(cmd *cobra.Command) {
	n.filterFlags.addTo(cmd, query.Filters)
	flags := cmd.Flags()
	flags.IntVar(&n.topK, "top-k", cmp.Or(n.topK, query.DefaultTopK), "how many turns to find")
	flags.StringVar(&n.mode, "mode", string(query.Auto),
		"ranking mode: auto, keyword (by words), dense (by meaning) or hybrid (both)")
	flags.BoolVar(&n.literal, "literal", false,
		`take the query as plain words: no "phrases", -exclusions or key:value filters`)
	_ = cmd.RegisterFlagCompletionFunc("mode", cobra.FixedCompletions(
		[]cobra.Completion{"auto", "keyword", "dense", "hybrid"}, cobra.ShellCompDirectiveNoFileComp))
}

func addBin(cmd *cobra.Command, bin *string) {
	cmd.Flags().StringVar(bin, "bin", "auto",
		"width of a bin: auto, hour, day, week, month, quarter, half, year, or several such as 15min, 6h, 3d, 2w or 2mo")
}

// parse reads a typed query and the flags. It says on standard error which words may have been meant as filters.
// Errors are usage errors.
func (n *queryFlags) parse(env *Env, text string, now time.Time) (query.Query, error) {
	q, err := n.read(env, text, now)
	if err == nil {
		err = usageOf(q.Validate())
	}
	return q, err
}

// read is parse for a query that may be empty.
func (n *queryFlags) read(env *Env, text string, now time.Time) (q query.Query, err error) {
	q = query.Literal(text)
	if !n.literal {
		var notices []string
		if q, notices, err = query.Parse(text, now); err != nil {
			return q, usageOf(err)
		}
		for _, notice := range notices {
			env.Err.println(env.Err.warn(cleantext.Line(notice)))
		}
	}
	if err := n.apply(&q.Filter, now); err != nil {
		return q, err
	}
	switch {
	case n.topK < 1 || n.topK > query.MaxTopK:
		return q, usage("", "--top-k must be between 1 and %d", query.MaxTopK)
	case n.snippets < 0 || n.snippets > query.MaxSnippets:
		return q, usage("", "--snippets must be between 0 and %d", query.MaxSnippets)
	}
	if err := checkBin(n.bin); err != nil {
		return q, err
	}
	if q.Mode = query.Mode(n.mode); !slices.Contains(query.Modes, q.Mode) {
		return q, usage("use auto, dense, hybrid or keyword", "unknown mode %q", n.mode)
	}
	q.Bin, q.TopK, q.Snippets = n.bin, &n.topK, &n.snippets
	return q, nil
}

// usageOf makes a usage error of one that says what is wrong with a query.
func usageOf(err error) error {
	var wrong *errs.Error
	if errors.As(err, &wrong) {
		return usage(wrong.Hint, "%s", wrong.Message)
	}
	return err
}

func checkBin(bin string) error {
	if _, err := timebin.Parse(bin); err != nil {
		return wrongTime("--bin", bin, err)
	}
	return nil
}

// modelFor returns the mode by which queries are ranked, as far as it decides whether a model is loaded: that of the
// query that needs one most. A query without words or with a role needs none; one with a turn to resemble does not fail
// for lack of one.
func modelFor(queries ...query.Query) query.Mode {
	needs := []query.Mode{query.Keyword, query.Auto, query.Hybrid, query.Dense} // a model, each more than those before
	most := query.Keyword
	for _, q := range queries {
		mode := q.Mode
		switch {
		case q.Like != "":
			mode = query.Auto
		case !q.HasWords() || q.Filter.Role != "" && q.Filter.MinSimilarity == nil:
			mode = query.Keyword
		}
		if slices.Index(needs, mode) > slices.Index(needs, most) {
			most = mode
		}
	}
	return most
}

// readID parses the ID of a conversation.
func readID(flag, text string) (uuid.UUID, error) {
	id, err := uuid.Parse(text)
	if err != nil || id == uuid.Nil {
		return id, usage("run lens turn ID to see the ID of its conversation", "%s takes a full conversation ID", flag)
	}
	return id, nil
}

// wrongTime returns the usage error for a flag whose text is not a time or a bin.
func wrongTime(flag, text string, err error) error {
	var wrong *errs.Error
	if errors.As(err, &wrong) {
		return usage(wrong.Hint, "%s %q: %s", flag, text, wrong.Message)
	}
	return usage("", "%s %q: %s", flag, text, err)
}

// sourceNames returns the sources that Lens reads.
func sourceNames() []string {
	field, _ := query.FieldOf("source")
	return field.Values
}

// checkSource returns a usage error for a source that Lens does not read.
func checkSource(name string) error {
	field, _ := query.FieldOf("source")
	if err := field.Set(new(query.Filter), name, false, time.Time{}); err != nil {
		return refused(field.Flag, name, err)
	}
	return nil
}
