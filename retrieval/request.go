package retrieval

import (
	"cmp"
	"fmt"
	"strings"
	"time"

	"github.com/google/uuid"

	"lens/internal/errs"
	"lens/retrieval/timebin"
	"lens/store"
	"lens/store/terms"
)

// request is a validated peek with all defaults filled in.
type request struct {
	query       string
	words       []string  // terms by which keywords are scored
	identifiers []string  // the words that are identifiers to look up
	like        uuid.UUID // the turn of a Like request; uuid.Nil: none
	mode        Mode
	topK        int
	snippets    int
	filter      store.Filter
	binning
}

func newRequest(query string, opts PeekOptions) (request, error) {
	if err := checkQuery(query); err != nil {
		return request{}, err
	}
	r, err := parseOptions(opts)
	r.query = strings.ToValidUTF8(query, "\uFFFD")
	r.words, r.identifiers = terms.Query(r.query), terms.Identifiers(r.query)
	return r, err
}

// parseOptions returns a request without a query.
func parseOptions(opts PeekOptions) (request, error) {
	r := request{
		mode: cmp.Or(opts.Mode, Auto), topK: cmp.Or(opts.TopK, DefaultTopK),
		snippets: max(cmp.Or(opts.Snippets, DefaultSnippets), 0),
		filter: store.Filter{
			Since:        opts.Since,
			Until:        opts.Until,
			Conversation: opts.Conversation,
			AllBranches:  opts.AllBranches,
			Sources:      sources(opts.Sources),
			Meta:         opts.Meta,
		},
	}
	switch {
	case r.topK < 1 || r.topK > MaxTopK:
		return r, invalid("peek", "", "top_k is %d, must be 1 to %d", opts.TopK, MaxTopK)
	case r.snippets > MaxSnippets:
		return r, invalid("peek", "", "%d snippets requested, at most %d allowed", opts.Snippets, MaxSnippets)
	case r.mode != Auto && r.mode != Dense && r.mode != Hybrid && r.mode != Keyword:
		return r, invalid("peek", "use auto, dense, hybrid or keyword", "unknown mode")
	}
	var err error
	if err = checkWindow("peek", opts.Since, opts.Until); err == nil {
		r.binning, err = parseBin("peek", opts.Bin, opts.AutoBins)
	}
	return r, err
}

func checkQuery(query string) error {
	if strings.TrimSpace(query) == "" {
		return invalid("peek", "type what you are looking for", "the query is empty")
	}
	if len(query) > MaxQueryBytes {
		return &errs.Error{
			Code: errs.TooLarge, Op: "retrieval: peek", Message: "the query is longer than 8 KiB", Hint: "use fewer words",
		}
	}
	return nil
}

func checkWindow(op string, since, until time.Time) error {
	if !since.IsZero() && !until.IsZero() && !since.Before(until) {
		const hint = "choose an end after the start; the end is exclusive"
		return invalid(op, hint, "the window is empty or ends before it starts")
	}
	return nil
}

// parseBin parses a bin and checks how many bins an automatic width may make.
func parseBin(op, name string, maxBins int) (binning, error) {
	if maxBins < 0 || maxBins > timebin.MaxBins {
		return binning{}, invalid(op, "", "%d bins requested, must be 1 to %d", maxBins, timebin.MaxBins)
	}
	bin, err := timebin.Parse(name)
	if err != nil {
		return binning{}, fmt.Errorf("retrieval: %s: %w", op, err)
	}
	return binning{bin, cmp.Or(maxBins, MaxAutoBins)}, nil
}
