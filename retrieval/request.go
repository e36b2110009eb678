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
	asked       query.Query
	query       string         // what is ranked; "" where nothing is, and turns are listed by time
	words       []string       // terms by which keywords are scored
	synonyms    []string       // whose terms are among words, too
	identifiers []string       // the words that are identifiers to look up
	language    terms.Language // of the query, where it is known not to be English
	byTurns     bool           // it is the language of the turns with its words, and perhaps not of the query
	like        uuid.UUID      // the turn of a Like request; uuid.Nil: none
	mode        query.Mode
	topK        int
	snippets    int
	filter      store.Filter // what the stores know of the filter
	binning
}

// newRequest validates q and fills in its defaults. Without words it is the request of a turn to resemble.
func newRequest(q query.Query) (request, error) {
	if err := q.Validate(); err != nil {
		return request{}, err
	}
	by, err := parseBin("peek", q.Bin, q.AutoBins)
	r := request{
		asked: q, query: ranked(q), mode: cmp.Or(q.Mode, query.Auto), topK: q.Limit(), snippets: q.Listed(),
		filter: storeFilter(q.Filter), binning: by,
	}
	r.language = terms.QueryLanguage(r.query)
	r.words, r.identifiers = terms.Content(r.query, r.language), terms.Identifiers(r.query)
	if r.mode == query.Auto && q.Filter.Role != "" && q.Filter.MinSimilarity == nil {
		r.mode = query.Keyword
	}
	return r, err
}

// ranked returns the words that q is ranked by. A phrase of common words, which the index does not have, ranks nothing.
func ranked(q query.Query) string {
	if !q.HasWords() {
		return ""
	}
	text := strings.ToValidUTF8(q.Words(), "\uFFFD")
	if len(q.Phrases) == 0 || q.Mode == query.Dense || q.Filter.MinSimilarity != nil {
		return text
	}
	if onlyStopWords(text) {
		return ""
	}
	return text
}

// onlyStopWords reports whether all words of a text are common ones, which the index does not have.
func onlyStopWords(text string) bool {
	for word := range terms.Words(text) {
		if !terms.IsStopWord(string(word)) {
			return false
		}
	}
	return true
}

// byTime reports whether the request ranks nothing: it lists what its filter lets through.
func (r *request) byTime() bool { return r.query == "" && r.like == uuid.Nil }

// storeFilter returns the part of a filter that the stores know. The rest becomes a set of rows.
func storeFilter(f query.Filter) store.Filter {
	s := store.Filter{Since: f.Since, Until: f.Until, AllBranches: f.Branches, Sources: sources(f.Sources.In)}
	if len(f.Conversations.In) == 1 {
		s.Conversation = f.Conversations.In[0]
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
