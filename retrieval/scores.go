package retrieval

import (
	"context"
	"slices"
	"strings"
	"sync"

	"lens/retrieval/rank"
	"lens/store"
)

// scores are the keyword scores of a query over the whole archive: independent of window, mode and top_k.
type scores struct {
	turns         []float64 // by row: what its own text scores
	around        []float64 // by row: what its neighbours add
	conversations []float64 // by conversation
	exact         []int32   // rows with an identifier that is looked up
	whole         rowSet    // rows with every word
}

// scoreCache holds the scores of the latest queries for one version of the archive. They are 16 bytes a turn, so few are kept.
type scoreCache struct {
	mu      sync.Mutex
	version int64
	latest  []scored // the latest used first
}

type scored struct {
	words  string
	scores *scores
}

const maxScored = 8

// keywordScores returns the scores of words, those of look first, from the cache when they are among the latest.
func (e *Engine) keywordScores(ctx context.Context, a *archive, words, look []string) (*scores, error) {
	key := strings.Join(words, " ") + "\n" + strings.Join(look, " ")
	if s := e.scores.get(a.Version, key); s != nil {
		return s, nil
	}
	lists, err := e.lists(ctx, a, words)
	if err != nil {
		return nil, err
	}
	s := scoresOf(a, lists)
	for _, identifier := range look {
		if i := slices.Index(words, identifier); i >= 0 { // it is one of the words, unless it is too long to be kept whole
			s.exact = append(s.exact, lists[i].Rows...)
		}
	}
	e.scores.put(a.Version, key, s)
	return s, nil
}

func scoresOf(a *archive, lists []rank.List) *scores {
	p := rank.Keyword()
	s := new(scores)
	var rest sync.WaitGroup
	rest.Go(func() {
		s.conversations = rank.Conversations(&a.columns, lists, p)
		s.whole = inAll(lists, a.Len())
	})
	s.turns, s.around = rank.Turns(&a.columns, lists, p)
	rest.Wait()
	return s
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

// liveRows turns ordinals into rows, without the dead. Counts are copied only where there are any.
func liveRows(c *store.Catalog, p store.Postings) rank.List {
	l := rank.List{Rows: make([]int32, len(p.Ords)), Counts: p.Counts}
	n := 0
	for i, ord := range p.Ords {
		row, alive := c.Row(ord)
		if !alive {
			continue
		}
		if n < i {
			if n == 0 || &l.Counts[0] == &p.Counts[0] {
				l.Counts = slices.Clone(p.Counts)
			}
			l.Counts[n] = p.Counts[i]
		}
		l.Rows[n] = int32(row)
		n++
	}
	return rank.List{Rows: l.Rows[:n], Counts: l.Counts[:n]}
}

func (c *scoreCache) get(version int64, words string) *scores {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.version != version {
		return nil
	}
	i := slices.IndexFunc(c.latest, func(s scored) bool { return s.words == words })
	if i < 0 {
		return nil
	}
	found := c.latest[i]
	copy(c.latest[1:i+1], c.latest[:i])
	c.latest[0] = found
	return found.scores
}

func (c *scoreCache) put(version int64, words string, s *scores) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.version != version {
		c.version, c.latest = version, nil
	}
	c.latest = slices.Insert(c.latest, 0, scored{words, s})
	c.latest = c.latest[:min(len(c.latest), maxScored)]
}
