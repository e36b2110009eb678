// Package storetest is the conformance suite that every backend passes, with shared benchmarks. The
// whole test of a backend is
//
//	func TestConformance(t *testing.T) { storetest.Run(t, harness) }
//
// The suite uses an archive only through store.Store, so it tests every backend in the same way.
package storetest

import (
	"testing"

	"lens/store"
)

// Open opens an archive once more. Two openings share its content, as two processes would. The test
// closes what it opens.
type Open func() (store.Store, error)

// Harness creates archives of one backend.
type Harness struct {
	// New creates an empty archive that exists until tb ends.
	New func(tb testing.TB) Open
}

// check is one promise of the contract with its proof.
type check struct {
	promise string
	prove   func(t *testing.T, a *archive)
}

// groups are all promises, in the order in which a new backend can best implement them.
var groups = []struct {
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
	{"facts", factChecks},
	{"generations", generationChecks},
	{"vectors", vectorChecks},
	{"embedded texts", embeddedChecks},
	{"pending", pendingChecks},
	{"commits", commitChecks},
	{"readers", readerChecks},
	{"cancellation", cancelChecks},
	{"forgetting", forgetChecks},
	{"runs", runChecks},
	{"imported files", importedChecks},
	{"kept", keptChecks},
	{"dumps", dumpChecks},
	{"disk use", diskUseChecks},
	{"scale", scaleChecks},
}

// Run tests whether the backend keeps the promises of store.Store. Each promise gets its own archive.
func Run(t *testing.T, h Harness) {
	for _, group := range groups {
		t.Run(group.name, func(t *testing.T) {
			for _, c := range group.checks {
				t.Run(c.promise, func(t *testing.T) { c.prove(t, newArchive(t, h)) })
			}
		})
	}
}
