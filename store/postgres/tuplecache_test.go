package postgres

import (
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"lens/store"
	"lens/store/postgres/pgtest"
)

func TestTupleCache_MovedVectors(t *testing.T) {
	const dim, n = 64, 600
	r := rand.New(rand.NewPCG(9, 10))
	query := unit(t, r, make([]float32, dim), 1)
	vectors := make([][]float32, n)
	for i := range vectors {
		vectors[i] = unit(t, r, query, 1)
	}
	s, ranked := embeddedAt(t, pgtest.Schema(t), vectors, query)
	narrow := store.Filter{Since: time.Unix(400, 0), Until: time.Unix(450, 0)}
	catalog, err := s.Catalog(t.Context())
	must(t, err)
	lo, hi := catalog.RowRange(narrow)
	within := slices.DeleteFunc(slices.Clone(ranked), func(n store.Neighbor) bool {
		return !slices.Contains(catalog.Ord[lo:hi], n.Ord)
	})
	want := func(what string, want []store.Neighbor) {
		t.Helper()
		for range 2 { // by ids, then by tuple ids
			found, err := s.Nearest(t.Context(), query, narrow, len(want))
			must(t, err)
			if !slices.Equal(found, want) {
				t.Fatalf("%s: got %v, want %v", what, found, want)
			}
		}
	}
	// These statements move no counter; only the table's file shows their effect.
	s.execSQL(t, "DELETE FROM message_embeddings e USING turns t WHERE t.id = e.id AND t.create_time < 100000000")
	row, _ := catalog.Row(within[0].Ord)
	s.execSQL(t, "DELETE FROM message_embeddings WHERE id = '"+catalog.ID[row].String()+"'")
	want("some gone", within[1:])
	s.execSQL(t, "VACUUM FULL message_embeddings")
	want("the rewritten table", within[1:])
	must(t, s.Update(t.Context(), func(tx store.Tx) error {
		return tx.PutVectors(t.Context(), 1, []store.Vector{{Turn: catalog.ID[row], Values: vectors[row]}})
	}))
	want("one more", within)
}
