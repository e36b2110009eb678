package store_test

import (
	"slices"
	"testing"

	"lens/store"
)

// A list keeps its terms while others are added to its vocabulary.
func TestVocabulary_GrowsBehindItsLists(t *testing.T) {
	var v store.Vocabulary
	counts := []store.TermCount{{Term: "heron", Count: 2}, {Term: ":facts", Count: 1}, {Term: "wade", Count: 1}}
	list := v.ListOf(counts)
	for i := range rune(1000) {
		v.NumberOf(string('一' + i))
	}
	if n := v.Number([]byte("heron")); n != list.Counts[0].Number || v.Term(n) != "heron" || v.Len() != 1003 {
		t.Errorf("heron has number %d of %d", n, v.Len())
	}
	if again := v.ListOf(counts); !slices.Equal(again.Counts, list.Counts) {
		t.Errorf("got %v again, want %v", again.Counts, list.Counts)
	}
	if got := list.TermCounts(); !slices.Equal(got, counts) || list.Length() != 3 || list.Known() != 3 {
		t.Errorf("got %v of %d terms, %d known", got, list.Length(), list.Known())
	}
}
