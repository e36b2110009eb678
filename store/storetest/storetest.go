// Package storetest is the one conformance suite that every backend passes, and the benchmarks that they share. A backend's
// whole test is
//
//	func TestConformance(t *testing.T) { storetest.Run(t, harness) }
//
// The suite reaches an archive only through store.Store: what it proves holds for every backend alike.
package storetest

import (
	"testing"

	"lens/store"
)

// Open opens an archive once more: two openings share what is in it, as two processes would. The test closes what it opens.
type Open func() (store.Store, error)

// Harness makes archives of one backend.
type Harness struct {
	// New makes an empty archive that lives until tb ends.
	New func(tb testing.TB) Open
}

// check is one promise.
type check struct {
	promise string
	prove   func(t *testing.T, a *archive)
}

// themes are all promises, in the order in which they are easiest to get right.
var themes = []struct {
	name   string
	checks []check
}{
	{"conversations", conversationChecks},
	{"turns", turnChecks},
	{"texts", textChecks},
	{"filters", filterChecks},
	{"documents", documentChecks},
	{"catalog", catalogChecks},
	{"terms", termChecks},
	{"generations", generationChecks},
	{"vectors", vectorChecks},
	{"pending", pendingChecks},
	{"commits", commitChecks},
	{"readers", readerChecks},
	{"cancellation", cancelChecks},
	{"forgetting", forgetChecks},
	{"runs", runChecks},
	{"scale", scaleChecks},
}

// Run proves that the backend keeps the promises of store.Store. Every promise gets an archive of its own.
func Run(t *testing.T, h Harness) {
	for _, theme := range themes {
		t.Run(theme.name, func(t *testing.T) {
			for _, c := range theme.checks {
				t.Run(c.promise, func(t *testing.T) { c.prove(t, newArchive(t, h)) })
			}
		})
	}
}
