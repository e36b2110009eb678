package sqlite

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"lens/internal/errs"
	"lens/store"
	"lens/store/storetest"
	"lens/store/vecindex"
)

// nearestIn returns the result of a search in a new opening of the archive in dir.
func nearestIn(t *testing.T, dir string, readOnly bool) []store.Neighbor {
	t.Helper()
	s := openIn(t, Options{Dir: dir, ReadOnly: readOnly})
	found, err := s.Nearest(t.Context(), []float32{0.5, 0.5, 0.5, 0.5}, store.Filter{}, 10)
	must(t, err)
	return found
}

// embedded creates an archive of n turns with vectors in dir.
func embedded(t *testing.T, dir string, n int) {
	t.Helper()
	s, err := Open(t.Context(), Options{Dir: dir})
	must(t, err)
	c := storetest.Chat(n, "word")
	must(t, put(t.Context(), s, c))
	must(t, embedAll(t.Context(), s, c))
	must(t, s.Close())
}

func TestIndexFile_MissingDamagedOrOlder(t *testing.T) {
	dir := t.TempDir()
	embedded(t, dir, 500)
	wanted := nearestIn(t, dir, false)
	files := glob(t, dir, "vectors-*")
	if len(files) != 1 || len(wanted) != 10 {
		t.Fatalf("files %v, neighbors %v", files, wanted)
	}
	whole, err := os.ReadFile(files[0])
	must(t, err)
	damages := map[string][]byte{"empty": {}, "cut": whole[:len(whole)-1], "another file": []byte("hello, I am another file and long enough to have a header of sixty-four bytes")}
	for at := 0; at < len(whole); at += 61 {
		flipped := slices.Clone(whole)
		flipped[at] ^= 0x10
		damages[fmt.Sprint("a bit of byte ", at)] = flipped
	}
	for name, damaged := range damages {
		must(t, os.WriteFile(files[0], damaged, 0o600))
		if got := nearestIn(t, dir, false); !slices.Equal(got, wanted) {
			t.Fatalf("%s: got %v, want %v", name, got, wanted)
		}
		if healed, err := os.ReadFile(files[0]); err != nil || !slices.Equal(healed, whole) {
			t.Fatalf("%s: the file was not made again (%v)", name, err)
		}
	}
	must(t, os.Remove(files[0]))
	if got := nearestIn(t, dir, false); !slices.Equal(got, wanted) {
		t.Errorf("missing: got %v, want %v", got, wanted)
	}
}

func TestIndexFile_ReadOnlyStoreWritesNone(t *testing.T) {
	dir := t.TempDir()
	embedded(t, dir, 50)
	if got := nearestIn(t, dir, true); len(got) != 10 {
		t.Errorf("got %v", got)
	}
	if files := glob(t, dir, "vectors-*"); len(files) > 0 {
		t.Errorf("files: %v", files)
	}
}

func TestIndexFile_FallsBackToMemory(t *testing.T) {
	dir := t.TempDir()
	embedded(t, dir, 50)
	wanted := nearestIn(t, dir, true)
	s := openIn(t, Options{Dir: dir})
	catalog, err := s.Catalog(t.Context())
	must(t, err)
	must(t, s.read(t.Context(), "test", func(c *conn) error {
		gen, err := c.activeGeneration()
		must(t, err)
		return os.Mkdir(filepath.Join(dir, indexName(gen.tag())), 0o700) // blocks the name of the file
	}))
	got, err := s.Nearest(t.Context(), []float32{0.5, 0.5, 0.5, 0.5}, store.Filter{}, 10)
	must(t, err)
	if !slices.Equal(got, wanted) || catalog.Len() != 50 {
		t.Errorf("got %v, want %v", got, wanted)
	}
}

func TestIndexFile_TailIsMerged(t *testing.T) {
	dir := t.TempDir()
	embedded(t, dir, 100)
	s := openIn(t, Options{Dir: dir})
	sizes := func() (base, tail int) {
		_, err := s.Nearest(t.Context(), []float32{0.5, 0.5, 0.5, 0.5}, store.Filter{}, 1)
		must(t, err)
		return s.dense.latest.base.index.Len(), s.dense.latest.tail.index.Len()
	}
	add := func(n int) {
		c := storetest.Chat(n, "more")
		must(t, put(t.Context(), s, c))
		must(t, embedAll(t.Context(), s, c))
	}
	for _, step := range []struct{ add, base, tail int }{{0, 100, 0}, {10, 100, 10}, {1000, 100, 1010}, {100, 1210, 0}, {1, 1210, 1}} {
		if step.add > 0 {
			add(step.add)
		}
		if base, tail := sizes(); base != step.base || tail != step.tail {
			t.Errorf("after %d more: base %d, tail %d, want %d and %d", step.add, base, tail, step.base, step.tail)
		}
	}
	if files := glob(t, dir, "vectors-*"); len(files) != 1 {
		t.Errorf("files: %v", files)
	}
}

func TestIndexFile_DamagedTailIsUnmapped(t *testing.T) {
	if _, err := os.Stat("/proc/self/maps"); err != nil {
		t.Skip("SKIPPED: this system does not list what is mapped")
	}
	dir := t.TempDir()
	embedded(t, dir, 50)
	t.Run("made", func(t *testing.T) { nearestIn(t, dir, false) }) // creates the file and unmaps it
	s := openIn(t, Options{Dir: dir})
	c := storetest.Chat(5, "tail")
	must(t, put(t.Context(), s, c))
	must(t, embedAll(t.Context(), s, c))
	execute(t, dir, "UPDATE message_embeddings SET vector = x'ff' WHERE seq = 53")
	_, err := s.Nearest(t.Context(), []float32{1, 0, 0, 0}, store.Filter{}, 5)
	wantError(t, err, errs.Unavailable, "damaged")
	maps, err := os.ReadFile("/proc/self/maps")
	must(t, err)
	for _, line := range strings.Split(string(maps), "\n") {
		if strings.Contains(line, dir) && strings.Contains(line, ".idx") {
			t.Errorf("still mapped: %s", line)
		}
	}
}

// ranked returns the exact result: all vectors of the archive, ranked one by one.
func ranked(t *testing.T, s *Store, query []float32, f store.Filter, k int) (found []store.Neighbor) {
	t.Helper()
	catalog, err := s.Catalog(t.Context())
	must(t, err)
	must(t, s.read(t.Context(), "test", func(c *conn) error {
		lo, hi := catalog.RowRange(f)
		return c.each("VectorSeqs", []any{1}, func(r row) error {
			at, ok := catalog.Row(store.Ord(r.ColumnInt64(1)))
			if !ok || at < lo || at >= hi {
				return nil
			}
			return c.each("VectorBySeq", []any{r.ColumnInt64(0)}, func(v row) error {
				found = append(found, store.Neighbor{Ord: catalog.Ord[at], Similarity: store.Dot(query, v.ColumnBlob(0, nil))})
				return nil
			})
		})
	}))
	slices.SortFunc(found, vecindex.CompareNeighbors)
	return found[:min(k, len(found))]
}

func TestIndexFile_ChangedVectorsAreDeadRows(t *testing.T) {
	dir := t.TempDir()
	embedded(t, dir, 3000)
	first := openIn(t, Options{Dir: dir})
	catalog, err := first.Catalog(t.Context())
	must(t, err)
	query := []float32{0.5, 0.5, 0.5, 0.5}
	check := func(after string, s *Store) {
		t.Helper()
		for _, f := range []store.Filter{{}, {Since: store.FromMicros(1e9), Until: store.FromMicros(2e9)}} {
			got, err := s.Nearest(t.Context(), query, f, 50)
			must(t, err)
			if wanted := ranked(t, s, query, f, 50); !slices.Equal(got, wanted) {
				t.Errorf("%s: got %v, want %v", after, got, wanted)
			}
		}
	}
	check("the first search", first)
	files := glob(t, dir, "vectors-*")
	change := func(what string, fn func(tx store.Tx) error) {
		t.Helper()
		must(t, first.Update(t.Context(), fn))
		check(what, first)
		again, err := Open(t.Context(), Options{Dir: dir})
		must(t, err)
		check(what+", opened again", again)
		must(t, again.Close())
		if now := glob(t, dir, "vectors-*"); !slices.Equal(now, files) {
			t.Errorf("%s: the index was made again: %v", what, now)
		}
	}
	change("deletion", func(tx store.Tx) error { return tx.DeleteVectors(t.Context(), catalog.ID[10:40]) })
	change("replacement", func(tx store.Tx) error {
		return tx.PutVectors(t.Context(), 1, []store.Vector{{Turn: catalog.ID[50], Values: []float32{1, 1, 1, 0.9}}})
	})
	turns, err := first.Turns(t.Context(), catalog.ID[1500:1501])
	must(t, err)
	change("a move", func(tx store.Tx) (err error) {
		turns[0].Time = store.FromMicros(1)
		if turns[0].Ord, err = tx.ReserveOrds(t.Context(), 1); err != nil {
			return err
		}
		return tx.PutTurns(t.Context(), turns)
	})
	must(t, first.Update(t.Context(), func(tx store.Tx) error { return tx.DeleteVectors(t.Context(), catalog.ID[100:1200]) }))
	check("the end of many", first)
	if now := glob(t, dir, "vectors-*"); len(now) != 1 || slices.Equal(now, files) {
		t.Errorf("a file of mostly dead rows was kept: %v", now)
	}
}

func TestIndexFile_RestoredArchive(t *testing.T) {
	dir, query := t.TempDir(), []float32{0.5, 0.5, 0.5, 0.5}
	embedded(t, dir, 100)
	backup, err := os.ReadFile(filepath.Join(dir, "lens.db"))
	must(t, err)
	live := func(word string, n int) {
		s, err := Open(t.Context(), Options{Dir: dir})
		must(t, err)
		c := storetest.Chat(n, word)
		for i := range c.Turns { // after all others, so that both histories use the same ordinals in the same order
			c.Turns[i].Time = c.Turns[i].Time.Add(time.Hour)
		}
		must(t, put(t.Context(), s, c))
		must(t, s.Update(t.Context(), func(tx store.Tx) error {
			for i := range c.Turns {
				v := store.Vector{Turn: c.Turns[i].ID, Values: []float32{float32(len(word)), float32(i), 1, 0}}
				if err := tx.PutVectors(t.Context(), 1, []store.Vector{v}); err != nil {
					return err
				}
			}
			return nil
		}))
		got, err := s.Nearest(t.Context(), query, store.Filter{}, 20)
		must(t, err)
		if wanted := ranked(t, s, query, store.Filter{}, 20); !slices.Equal(got, wanted) {
			t.Errorf("%s: got %v, want %v", word, got, wanted)
		}
		must(t, s.Close())
	}
	live("lost", 1500)
	must(t, os.WriteFile(filepath.Join(dir, "lens.db"), backup, 0o600))
	live("restored", 1600)
}
