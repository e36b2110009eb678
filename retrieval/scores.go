package retrieval

import (
	"context"
	"slices"
	"sync"

	"lens/retrieval/rank"
	"lens/store"
	"lens/store/terms"
)

// scores are the keyword scores of a query over the whole archive: independent of window, mode and top_k.
type scores struct {
	turns         []float64 // by row: what its own text scores
	around        []float64 // by row: what its neighbours add
	conversations []float64 // by conversation
	exact         []int32   // rows with an identifier that is looked up
}

// scoreCache holds the scores of the latest queries for one version of the archive. They are 16 bytes a turn, so few are kept.
type scoreCache struct {
	mu      sync.Mutex
	version int64
	latest  []scored // the latest used first
}

type scored struct {
	query  string
	scores *scores
}

const maxScored = 8

// keywordScores returns the scores of query, from the cache when it is among the latest.
func (e *Engine) keywordScores(ctx context.Context, a *archive, query string) (*scores, error) {
	if s := e.scores.get(a.Version, query); s != nil {
		return s, nil
	}
	words := terms.Query(query)
	lists, err := e.lists(ctx, a, words)
	if err != nil {
		return nil, err
	}
	p := rank.Keyword()
	s := &scores{conversations: rank.Conversations(&a.columns, lists, p)}
	s.turns, s.around = rank.Turns(&a.columns, lists, p)
	for _, identifier := range terms.Identifiers(query) {
		if i := slices.Index(words, identifier); i >= 0 { // it is one of the query's terms, unless it is too long to be kept whole
			s.exact = append(s.exact, lists[i].Rows...)
		}
	}
	e.scores.put(a.Version, query, s)
	return s, nil
}

// lists reads the postings of terms and turns ordinals into rows. Those of dead ordinals are left out.
func (e *Engine) lists(ctx context.Context, a *archive, terms []string) ([]rank.List, error) {
	if len(terms) == 0 {
		return nil, nil
	}
	postings, err := e.source.Postings(ctx, terms)
	if err != nil {
		return nil, err
	}
	lists := make([]rank.List, len(postings))
	for i, p := range postings {
		lists[i] = liveRows(a.Catalog, p)
	}
	return lists, nil
}

func liveRows(c *store.Catalog, p store.Postings) rank.List {
	l := rank.List{Rows: make([]int32, 0, len(p.Ords)), Counts: make([]uint32, 0, len(p.Ords))}
	for i, ord := range p.Ords {
		if row, alive := c.Row(ord); alive {
			l.Rows = append(l.Rows, int32(row))
			l.Counts = append(l.Counts, p.Counts[i])
		}
	}
	return l
}

func (c *scoreCache) get(version int64, query string) *scores {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.version != version {
		return nil
	}
	i := slices.IndexFunc(c.latest, func(s scored) bool { return s.query == query })
	if i < 0 {
		return nil
	}
	found := c.latest[i]
	copy(c.latest[1:i+1], c.latest[:i])
	c.latest[0] = found
	return found.scores
}

func (c *scoreCache) put(version int64, query string, s *scores) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.version != version {
		c.version, c.latest = version, nil
	}
	c.latest = slices.Insert(c.latest, 0, scored{query, s})
	c.latest = c.latest[:min(len(c.latest), maxScored)]
}
