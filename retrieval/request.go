package retrieval

import (
	"cmp"
	"fmt"
	"strings"

	"github.com/google/uuid"

	"lens/retrieval/query"
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
	mode        query.Mode
	topK        int
	snippets    int
	filter      store.Filter
	binning
}

// newRequest validates q and fills in its defaults. Without words it is the request of a turn to resemble.
func newRequest(q query.Query) (request, error) {
	if err := q.Validate(); err != nil {
		return request{}, err
	}
	by, err := parseBin("peek", q.Bin, q.AutoBins)
	text := strings.ToValidUTF8(q.Words(), "\uFFFD")
	return request{
		query: text, words: terms.Query(text), identifiers: terms.Identifiers(text),
		mode: cmp.Or(q.Mode, query.Auto), topK: q.Limit(), snippets: q.Listed(),
		filter: storeFilter(q.Filter), binning: by,
	}, err
}

// storeFilter returns the part of a filter that the stores know.
func storeFilter(f query.Filter) store.Filter {
	s := store.Filter{Since: f.Since, Until: f.Until, AllBranches: f.Branches, Sources: sources(f.Sources.In)}
	if len(f.Conversations.In) > 0 {
		s.Conversation = f.Conversations.In[0]
	}
	for _, pair := range f.Meta.In {
		if s.Meta == nil {
			s.Meta = map[string]string{}
		}
		s.Meta[pair.Key] = pair.Value
	}
	return s
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
	return binning{bin, cmp.Or(maxBins, query.MaxAutoBins)}, nil
}
