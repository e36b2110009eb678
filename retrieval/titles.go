package retrieval

import (
	"cmp"
	"context"
	"slices"
	"sync"

	"github.com/google/uuid"

	"lens/retrieval/query"
	"lens/store/terms"
)

// TitleMatches lists conversations by their titles, which no search of turns looks at.
type TitleMatches struct {
	Count         int          `json:"count"`
	Conversations []TitleMatch `json:"conversations"` // the shortest titles first, then the latest
}

// TitleMatch is a conversation with all words of a query in its title.
type TitleMatch struct {
	Conversation uuid.UUID `json:"conversation_id"`
	Title        string    `json:"title"`
	FirstTurn    uuid.UUID `json:"first_turn_id"` // the first eligible one in order of time
}

// MatchTitles counts the conversations that have every word of q in the title and at least one eligible turn,
// and lists the first limit of them. The first call after a commit reads all titles. Errors: see Peek.
func (e *Engine) MatchTitles(ctx context.Context, q query.Query, limit int) (*TitleMatches, error) {
	r, err := newRequest(q)
	if err != nil {
		return nil, err
	}
	var t *TitleMatches
	err = e.readConsistently(ctx, func(a *snapshot) error {
		titles, err := e.loadTitles(ctx, a)
		if err != nil {
			return err
		}
		f, err := e.newSearch(ctx, a, r)
		if err == nil {
			t = titles.match(f, limit)
		}
		return err
	})
	return t, err
}

// titles holds the titles of all conversations with a turn, by index in the catalog.
type titles struct {
	text  []string
	words [][]string // terms, sorted
}

// titleCache holds the titles of one version of the archive.
type titleCache struct {
	mu      sync.Mutex
	version int64
	titles  *titles
}

func (e *Engine) loadTitles(ctx context.Context, a *snapshot) (*titles, error) {
	e.titles.mu.Lock()
	defer e.titles.mu.Unlock()
	if e.titles.titles != nil && e.titles.version == a.Version {
		return e.titles.titles, nil
	}
	conversations, err := e.source.Conversations(ctx, a.Catalog.Conversations)
	if err != nil {
		return nil, err
	}
	t := &titles{text: make([]string, len(conversations)), words: make([][]string, len(conversations))}
	var analyzer terms.Analyzer
	for i, c := range conversations {
		t.text[i], t.words[i] = c.Title, analyzer.Query(c.Title)
		slices.Sort(t.words[i])
	}
	e.titles.version, e.titles.titles = a.Version, t
	return t, nil
}

// match lists the conversations with an eligible row and all words of the request in their title.
func (t *titles) match(f *searchResult, limit int) *TitleMatches {
	var with []int32
	first := make(map[int32]int32)
	for i, words := range t.words {
		if len(f.words) > 0 && !slices.ContainsFunc(f.words, func(w string) bool { return !contains(words, w) }) {
			with = append(with, int32(i))
			first[int32(i)] = -1
		}
	}
	window := f.window()
	latest := make(map[int32]int32)
	for row := window.From; row < window.To; row++ {
		at, wanted := first[f.Conversation[row]]
		if !wanted || !f.isEligible(row) {
			continue
		}
		if at < 0 {
			first[f.Conversation[row]] = row
		}
		latest[f.Conversation[row]] = row
	}
	with = slices.DeleteFunc(with, func(c int32) bool { return first[c] < 0 })
	slices.SortFunc(with, func(x, y int32) int {
		return cmp.Or(cmp.Compare(len(t.words[x]), len(t.words[y])), cmp.Compare(latest[y], latest[x]))
	})
	found := &TitleMatches{Count: len(with), Conversations: []TitleMatch{}}
	for _, c := range with[:min(max(limit, 0), len(with))] {
		found.Conversations = append(found.Conversations, TitleMatch{f.Conversations[c], t.text[c], f.ID[first[c]]})
	}
	return found
}

func contains(sorted []string, word string) bool {
	_, there := slices.BinarySearch(sorted, word)
	return there
}
