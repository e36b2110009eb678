package sqlite

import (
	"testing"

	"lens/store"
	"lens/store/storetest"
)

// A search as of a version that its caller has seen does not look for a later one, but never misses that version.
func TestNearestAt_KnownAndNewVersion(t *testing.T) {
	dir := t.TempDir()
	s, other := openIn(t, Options{Dir: dir}), openIn(t, Options{Dir: dir})
	other.lock.linger = 0
	add := func(i int) int64 {
		t.Helper()
		c := storetest.Chat(i, "a chat")
		must(t, put(t.Context(), other, c))
		must(t, embedAll(t.Context(), other, c))
		catalog, err := s.Catalog(t.Context())
		must(t, err)
		return catalog.Version
	}
	search := func(version int64) (near, known int) {
		t.Helper()
		query := []float32{1, 0, 0, 0}
		found, err := s.NearestAt(t.Context(), version, query, store.Filter{}, 1000)
		must(t, err)
		ords := make([]store.Ord, len(found))
		for i, n := range found {
			ords[i] = n.Ord
		}
		cosines, err := s.SimilaritiesAt(t.Context(), version, query, ords)
		must(t, err)
		return len(found), len(cosines)
	}
	first := add(1)
	n, _ := search(first)
	second := add(2)
	if got, _ := search(first); n == 0 || got != n {
		t.Errorf("as of the first version %d turns are near, want %d", got, n)
	}
	if got, cosines := search(second); got <= n || cosines != got {
		t.Errorf("as of the second version %d turns are near, %d have cosines, want more than %d", got, cosines, n)
	}
	if got, _ := search(first); got <= n {
		t.Errorf("the index went back to an earlier version: %d turns", got)
	}
}
