package terms

import (
	"slices"
	"testing"

	"lens/store"
)

func TestDocument_HasNoFacts(t *testing.T) {
	for _, text := range []string{"=entity=story", "a =b=c d", "x==y", "=#0123456789abcdef0123456789abcdef"} {
		for _, c := range new(Analyzer).Document(text) {
			if store.IsFact(c.Term) {
				t.Errorf("%q has the term %q", text, c.Term)
			}
		}
	}
}

func TestTurn_FactsDoNotAddLength(t *testing.T) {
	turn := store.Turn{UserText: "plan.md", AssistantText: "herons wade", Chunk: &store.Chunk{Meta: []byte(`{"entity":"story"}`)}}
	with := new(Analyzer).Turn(&turn)
	turn.Chunk = nil
	without := new(Analyzer).Turn(&turn)
	if len(with.Counts) != len(without.Counts)+1 || with.Length() != without.Length() ||
		!slices.Contains(with.TermCounts(), store.TermCount{Term: "=entity=story", Count: 1}) {
		t.Errorf("with facts %v, without %v", with.TermCounts(), without.TermCounts())
	}
}
