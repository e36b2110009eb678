package offline

import (
	"cmp"
	"context"
	"slices"
	"time"

	"github.com/google/uuid"

	"lens/retrieval"
	"lens/store/terms"
)

// SearchOptions shapes a search. The zero value is usable.
type SearchOptions struct {
	K     int   // 1..100; 0: 8
	Level Level // "": Standard
}

// Found is the result of a search.
type Found struct {
	Decision
	Hits    []Hit       `json:"hits"` // best first
	Explain Explanation `json:"explain"`
}

// Explanation says how a query was understood.
type Explanation struct {
	Terms        []string  `json:"terms"`        // of the query, as the index has them
	Synonyms     []Synonym `json:"synonyms"`     // that joined them
	Placeholders []string  `json:"placeholders"` // entries of keywords.yaml that are not filled in yet
	Candidates   int       `json:"candidates"`   // that words let through
	Lambda       float64   `json:"lambda"`       // 0 when paranoid
	TauDays      float64   `json:"tau_days"`
}

// Search returns the k hits with the highest ann_score + λ·recency, of the 200 that score highest by BM25 over the
// words of query and their synonyms. A chunk without any of the words is never a hit, however near its meaning:
// something is always nearest, even to nonsense. Errors: invalid, too_large, not_found (no archive), *Revert.
func (r *Retriever) Search(ctx context.Context, query string, opts SearchOptions) (*Found, error) {
	k := cmp.Or(opts.K, DefaultK)
	if k < 1 || k > MaxK {
		return nil, invalid("", "k is %d, must be 1 to %d", opts.K, MaxK)
	}
	level := cmp.Or(opts.Level, Standard)
	found := &Found{
		Hits:    []Hit{},
		Explain: Explanation{Terms: terms.Query(query), Lambda: Lambda, TauDays: Tau.Hours() / 24},
	}
	if level == Paranoid {
		found.Explain.Lambda = 0
	}
	var err error
	audited := auditedQuery{"", level, k}
	found.Decision, err = r.decide(ctx, audited, func(searcher Searcher, synonyms Synonyms) (int, error) {
		found.Explain.Synonyms, found.Explain.Placeholders = synonyms.Of(query), append([]string{}, synonyms.Placeholders...)
		words := synonymWords(found.Explain.Synonyms)
		candidates, err := searcher.Shortlist(ctx, query, words)
		if err != nil {
			return 0, err
		}
		found.Explain.Candidates = len(candidates)
		found.Hits = best(candidates, k, r.opts.Now(), level)
		return len(found.Hits), describeAll(ctx, searcher, found.Hits, newSentences(query, words))
	})
	if err != nil {
		return nil, err
	}
	return found, nil
}

// best returns the k hits with the highest search score.
func best(candidates []retrieval.Candidate, k int, now time.Time, level Level) []Hit {
	hits := make([]Hit, len(candidates))
	for i, c := range candidates {
		hits[i] = Hit{ChunkID: c.TurnID, Modified: c.Time, Keyword: c.Keyword, Parts: &Parts{NoVector: c.Cosine == nil}}
		if c.Cosine != nil {
			hits[i].ANN = *c.Cosine
		}
	}
	scoreSearch(hits, now, level)
	slices.SortFunc(hits, bySearch)
	return hits[:min(k, len(hits))]
}

// describeAll fills in the names and snippets of hits.
func describeAll(ctx context.Context, searcher Searcher, hits []Hit, s *sentences) error {
	turns, err := hydrate(ctx, searcher, hits)
	if err != nil {
		return err
	}
	for i := range hits {
		hits[i].describe(&turns[i])
		hits[i].Snippet = s.snippet(&turns[i])
	}
	return nil
}

func hydrate(ctx context.Context, searcher Searcher, hits []Hit) ([]retrieval.Turn, error) {
	ids := make([]uuid.UUID, len(hits))
	for i, h := range hits {
		ids[i] = h.ChunkID
	}
	if len(ids) == 0 {
		return nil, nil
	}
	return searcher.Hydrate(ctx, ids)
}

func synonymWords(synonyms []Synonym) (all []string) {
	for _, s := range synonyms {
		all = append(all, s.Adds...)
	}
	slices.Sort(all)
	return slices.Compact(all)
}
