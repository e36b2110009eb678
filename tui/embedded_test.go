package tui

import (
	"testing"

	"github.com/google/uuid"

	"lens/retrieval"
	"lens/retrieval/query"
	"lens/tui/search"
)

func TestStatus_ShareThatIsEmbedded(t *testing.T) {
	for name, c := range map[string]struct {
		mode  query.Mode
		share float64
		want  string
	}{
		"half":            {query.Hybrid, 0.43, "43% embedded"},
		"nearly all":      {query.Dense, 0.9999, "99% embedded"},
		"all":             {query.Hybrid, 1, ""},
		"keyword search":  {query.Keyword, 0.43, ""},
		"none or unknown": {query.Hybrid, 0, ""},
	} {
		t.Run(name, func(t *testing.T) {
			if got := vectorWords(&retrieval.Peek{Mode: c.mode, Coverage: retrieval.Coverage{Embedded: c.share}}); got != c.want {
				t.Errorf("got %q, want %q", got, c.want)
			}
		})
	}
	e := newFake(200)
	e.embedded = 0.43
	explore(e, 120, 40).search("cancel").mustShow(t, "hybrid · 43% embedded · 4 ms")
}

// While an archive is being embedded, the same query finds more over time.
func TestCache_DropsResultsWithFewerEmbeddings(t *testing.T) {
	m := newModel(t.Context(), Options{})
	found := func(text string, share float64) search.Key {
		key := search.Key{Sought: search.Of(query.Literal(text), uuid.Nil)}
		m.keep(key, search.Result{Key: key, Peek: &retrieval.Peek{Coverage: retrieval.Coverage{Embedded: share}}})
		return key
	}
	words, first, same := found("words", 0), found("first", .2), found("same", .5)
	found("later", .5)
	for key, kept := range map[search.Key]bool{words: true, first: false, same: true} {
		if _, known := m.finds.Get(key); known != kept {
			t.Errorf("what was found of %q is kept: %v", key.Text, known)
		}
	}
}
