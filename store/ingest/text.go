package ingest

import (
	"slices"

	"lens/store"
	"lens/store/terms"
)

// turnTerms returns the terms of a turn for the keyword index and sets the turn's Length.
func turnTerms(a *terms.Analyzer, t *store.Turn) store.Terms {
	counts := a.Turn(t)
	t.Length = counts.Length()
	return counts
}

// readsDifferently reports whether two versions of a turn differ in text or facts, so that the keyword index must
// change.
func readsDifferently(now, stored *store.Turn) bool {
	return now.UserText != stored.UserText || now.AssistantText != stored.AssistantText ||
		!slices.Equal(now.Chunk.Facts(), stored.Chunk.Facts()) || !slices.Equal(now.Facts(), stored.Facts())
}
