package postgres

import (
	"math/rand/v2"
	"slices"
	"testing"

	"lens/store"
	"lens/store/postgres/pgtest"
)

func TestVectorCache_ReplacedByAnotherProcess(t *testing.T) {
	const dim, n = 64, 50
	address, r := pgtest.Schema(t), rand.New(rand.NewPCG(7, 8))
	query := unit(t, r, make([]float32, dim), 1)
	vectors := make([][]float32, n)
	for i := range vectors {
		vectors[i] = unit(t, r, query, 1)
	}
	s, ranked := embeddedAt(t, address, vectors, query)
	other := openAt(t, Options{URL: address})
	for range 2 { // the second time from the cache
		found, err := s.Nearest(t.Context(), query, store.Filter{}, n)
		must(t, err)
		if !slices.Equal(found, ranked) {
			t.Fatalf("got %v, want %v", found, ranked)
		}
	}
	last := ranked[n-1].Ord
	catalog, err := other.Catalog(t.Context())
	must(t, err)
	row, _ := catalog.Row(last)
	must(t, other.Update(t.Context(), func(tx store.Tx) error {
		g, err := tx.PutGeneration(t.Context(), store.Generation{Provider: "p", Model: "m", Dim: dim, Recipe: 1})
		must(t, err)
		return tx.PutVectors(t.Context(), g.ID, []store.Vector{{Turn: catalog.ID[row], Values: query}})
	}))
	same := store.Dot(query, store.Halves(query))
	similarities, err := s.Similarities(t.Context(), query, []store.Ord{last, ranked[0].Ord, last})
	must(t, err)
	if want := []float64{same, ranked[0].Similarity, same}; !slices.Equal(similarities, want) {
		t.Errorf("similarities %v, want %v", similarities, want)
	}
	found, err := s.Nearest(t.Context(), query, store.Filter{}, 1)
	must(t, err)
	if want := []store.Neighbor{{Ord: last, Similarity: same}}; !slices.Equal(found, want) {
		t.Errorf("got %v, want %v", found, want)
	}
}
