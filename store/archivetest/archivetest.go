// Package archivetest gives tests archives with something in them.
package archivetest

import (
	"errors"
	"slices"
	"testing"

	"github.com/google/uuid"

	"lens/internal/testenv"
	"lens/store"
	"lens/store/ingest"
	"lens/store/sqlite"
)

// New returns an archive of some files, in a temporary folder. It is closed with the test.
func New(tb testing.TB, files ...string) *sqlite.Store {
	tb.Helper()
	st, err := sqlite.Open(tb.Context(), sqlite.Options{Dir: tb.TempDir()})
	testenv.Must(tb, err)
	tb.Cleanup(func() { testenv.Must(tb, st.Close()) })
	if len(files) > 0 {
		Import(tb, st, files...)
	}
	return st
}

// Import imports files into an archive.
func Import(tb testing.TB, st store.Store, files ...string) {
	tb.Helper()
	_, err := ingest.Import(tb.Context(), st, files, ingest.Options{})
	testenv.Must(tb, err)
}

// Embed gives every turn of an archive a vector of the model.
func Embed[E ingest.Embedding](tb testing.TB, st store.Store, model ingest.Embedder[E]) {
	tb.Helper()
	report, err := ingest.Embed(tb.Context(), st, model, ingest.EmbedOptions{})
	if err != nil || report.Embedded == 0 || report.Pending > 0 {
		tb.Fatalf("embedded %+v: %v", report, err)
	}
}

// PutVectors gives every turn of an archive a vector that next returns, as if a model had made it, and activates them.
func PutVectors(tb testing.TB, st store.Store, provider, model string, next func() []float32) {
	tb.Helper()
	var ids []uuid.UUID
	for turn, err := range st.EachTurn(tb.Context(), store.Filter{}) {
		testenv.Must(tb, err)
		ids = append(ids, turn.ID)
	}
	const page = 2000
	for some := range slices.Chunk(ids, page) {
		turns, err := st.Turns(tb.Context(), some)
		testenv.Must(tb, err)
		vectors := make([]store.Vector, len(some))
		for i := range turns {
			vectors[i] = store.Vector{Turn: turns[i].ID, Text: turns[i].EmbeddedText(), Values: next()}
		}
		generation := store.Generation{
			Provider: provider, Model: model, Dim: len(vectors[0].Values), Recipe: store.Recipe,
		}
		testenv.Must(tb, st.Update(tb.Context(), func(tx store.Tx) error {
			g, err := tx.PutGeneration(tb.Context(), generation)
			if err != nil {
				return err
			}
			return errors.Join(tx.PutVectors(tb.Context(), g.ID, vectors), tx.Activate(tb.Context(), g.ID))
		}))
	}
	testenv.Must(tb, st.Optimize(tb.Context()))
}
