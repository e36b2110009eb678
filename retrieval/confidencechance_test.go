package retrieval

import (
	"testing"

	"lens/retrieval/rank"
	"lens/store"
)

func TestIsChance(t *testing.T) {
	turns := make([]store.CatalogRow, 1000)
	for i := range turns {
		turns[i] = store.CatalogRow{Ord: store.Ord(i), Length: 100}
	}
	turns[7].Length = 20_000
	c := store.NewCatalog(1, turns)
	in := func(n int) rank.Word { return rank.Word{Rows: make([]int32, n)} }
	for name, x := range map[string]struct {
		all   int
		words []rank.Word
		want  bool
	}{
		"common words, once in a long turn": {all: 1, words: []rank.Word{in(50), in(100), in(20)}, want: true},
		"common words that belong together": {all: 15, words: []rank.Word{in(50), in(100), in(20)}},
		"rare words":                        {all: 1, words: []rank.Word{in(2), in(2), in(1)}},
		"one word":                          {all: 1, words: []rank.Word{in(1)}},
		"in more turns than are looked at":  {all: 400, words: []rank.Word{in(700), in(600)}},
	} {
		if got := isChance(c, x.all, x.words); got != x.want {
			t.Errorf("%s: got %t", name, got)
		}
	}
}
