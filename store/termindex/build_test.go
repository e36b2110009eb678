package termindex

import (
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"lens/store"
)

// A builder of many segments builds those that a new one would, whatever it remembers, and whatever vocabularies the
// lists have, which grow meanwhile.
func TestBuilder_EqualsBuild(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var b Builder
		vocabularies := make([]store.Vocabulary, rapid.IntRange(1, maxOthers+4).Draw(t, "vocabularies"))
		for range rapid.IntRange(1, 4).Draw(t, "rounds") {
			for _, turns := range drawBatches(t) {
				lists := make([]store.Terms, len(turns.terms))
				for i, terms := range turns.terms {
					v := &vocabularies[rapid.IntRange(0, len(vocabularies)-1).Draw(t, "vocabulary")]
					lists[i] = v.ListOf(terms)
				}
				want := build(turns.ords, turns.terms)
				for range rapid.IntRange(1, 2).Draw(t, "times") {
					if got := b.Build(turns.ords, lists); !slices.EqualFunc(got, want, equalBlocks) {
						t.Fatalf("%d blocks, want %d, or other bytes", len(got), len(want))
					}
				}
			}
			if rapid.Bool().Draw(t, "reset") {
				b.Reset()
			}
		}
	})
}

func equalBlocks(a, b Block) bool {
	return a.FirstTerm == b.FirstTerm && string(a.Data) == string(b.Data)
}

// What a builder remembers is bounded: it has only what the last segments added.
func TestBuilder_ForgetsManyTerms(t *testing.T) {
	var b Builder
	for i := range 4 {
		var counts []store.TermCount
		for j := range maxVocabulary/2 + 1 {
			term := strings.Repeat(string(rune('a'+i)), 1+j%7) + string(rune(0x4e00+j%20000)) + string(rune('a'+j/20000))
			counts = append(counts, store.TermCount{Term: term, Count: 1})
		}
		slices.SortFunc(counts, func(a, b store.TermCount) int { return strings.Compare(a.Term, b.Term) })
		counts = slices.Compact(counts)
		blocks := b.Build([]store.Ord{1}, store.ListTerms(counts))
		if want := build([]store.Ord{1}, [][]store.TermCount{counts}); !slices.EqualFunc(blocks, want, equalBlocks) {
			t.Fatalf("other blocks in round %d", i)
		}
	}
	if n := b.vocabulary.Len(); n >= 2*maxVocabulary {
		t.Errorf("%d terms are kept", n)
	}
}
