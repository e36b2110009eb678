package sqlite

import (
	"math/rand/v2"
	"os"
	"reflect"
	"slices"
	"testing"
	"time"

	"github.com/google/uuid"

	"lens/store"
	"lens/store/storetest"
)

func BenchmarkCatalog(b *testing.B) {
	dir := b.TempDir()
	s := openIn(b, Options{Dir: dir})
	const n = 100_000
	must(b, s.Update(b.Context(), func(tx store.Tx) error {
		for range n / 20 {
			c := storetest.Chat(20, "word")
			begun := time.Unix(rand.Int64N(1e8), 0)
			first, err := tx.ReserveOrds(b.Context(), len(c.Turns))
			must(b, err)
			for i := range c.Turns {
				c.Turns[i].Ord, c.Turns[i].Time = first+store.Ord(i), begun.Add(time.Duration(i)*time.Minute)
			}
			must(b, tx.PutConversations(b.Context(), []store.Conversation{c}))
			must(b, tx.PutTurns(b.Context(), c.Turns))
		}
		return nil
	}))
	for b.Loop() { // open, and read the catalog as every session does first
		again, err := Open(b.Context(), Options{Dir: dir})
		must(b, err)
		_, err = again.Catalog(b.Context())
		must(b, err)
		must(b, again.Close())
	}
}

func TestCatalogFile_MissingDamagedOrOlder(t *testing.T) {
	dir := t.TempDir()
	s := openIn(t, Options{Dir: dir})
	must(t, put(t.Context(), s, storetest.Chat(minCatalogFileTurns, "many")))
	read := func() *store.Catalog {
		t.Helper()
		s, err := Open(t.Context(), Options{Dir: dir})
		must(t, err)
		catalog, err := s.Catalog(t.Context())
		must(t, err)
		must(t, s.Close())
		return catalog
	}
	wanted := read()
	files := glob(t, dir, "catalog-*")
	if len(files) != 1 {
		t.Fatalf("files: %v", files)
	}
	whole, err := os.ReadFile(files[0])
	must(t, err)
	flipped := slices.Clone(whole)
	flipped[len(whole)/2] ^= 1
	for name, file := range map[string][]byte{"as it was": whole, "flipped": flipped, "cut": whole[:len(whole)-1], "empty": {}} {
		must(t, os.WriteFile(files[0], file, 0o600))
		if got := read(); !reflect.DeepEqual(got, wanted) {
			t.Errorf("%s: another catalog was read", name)
		}
		if healed, err := os.ReadFile(files[0]); err != nil || !slices.Equal(healed, whole) {
			t.Errorf("%s: the file was not made again (%v)", name, err)
		}
	}
	c := storetest.Chat(1, "one")
	must(t, put(t.Context(), s, c))
	if got := read(); got.Len() != minCatalogFileTurns+1 {
		t.Errorf("%d turns after one more", got.Len())
	}
	if now := glob(t, dir, "catalog-*"); len(now) != 1 || now[0] == files[0] {
		t.Errorf("files: %v", now)
	}
	must(t, s.Update(t.Context(), func(tx store.Tx) error {
		_, err := tx.Forget(t.Context(), []uuid.UUID{c.ID})
		return err
	}))
	if files := glob(t, dir, "catalog-*"); len(files) > 0 {
		t.Errorf("a catalog of what was forgotten is left: %v", files)
	}
}
