package termindex

import (
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"lens/store"
)

// A builder of many segments builds those that a new one would, whatever it remembers, and whether terms come as the
// same strings or others.
func TestBuilder_EqualsBuild(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var b Builder
		for range rapid.IntRange(1, 4).Draw(t, "rounds") {
			for _, turns := range drawBatches(t) {
				for range rapid.IntRange(1, 2).Draw(t, "times") {
					got, want := b.Build(turns.ords, turns.terms), Build(turns.ords, turns.terms)
					if !slices.EqualFunc(got, want, equalBlocks) {
						t.Fatalf("%d blocks, want %d, or other bytes", len(got), len(want))
					}
				}
				turns.terms = slices.Clone(turns.terms)
				for i := range turns.terms {
					turns.terms[i] = slices.Clone(turns.terms[i])
					for j := range turns.terms[i] {
						turns.terms[i][j].Term = strings.Clone(turns.terms[i][j].Term)
					}
				}
				if !slices.EqualFunc(b.Build(turns.ords, turns.terms), Build(turns.ords, turns.terms), equalBlocks) {
					t.Fatal("other bytes for equal strings")
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
		blocks := b.Build([]store.Ord{1}, [][]store.TermCount{counts})
		if want := Build([]store.Ord{1}, [][]store.TermCount{counts}); !slices.EqualFunc(blocks, want, equalBlocks) {
			t.Fatalf("other blocks in round %d", i)
		}
	}
	if n := len(b.vocabulary.terms); n >= 2*maxVocabulary {
		t.Errorf("%d terms are kept", n)
	}
}
