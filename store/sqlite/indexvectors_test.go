package sqlite

import (
	"errors"
	"os"
	"strings"
	"testing"

	"lens/internal/errs"
)

func TestIndexVectors_FirstSearchFindsTheIndex(t *testing.T) {
	dir := t.TempDir()
	const n = minIndexed + 100
	embedded(t, dir, n)
	s := openIn(t, Options{Dir: dir})
	if got, err := s.UnindexedVectors(t.Context()); got != n || err != nil {
		t.Errorf("%d vectors without an index, %v, want %d", got, err, n)
	}
	last := 0
	must(t, s.IndexVectors(t.Context(), func(done, total int) {
		if done < last || total != n {
			t.Errorf("progress %d of %d after %d", done, total, last)
		}
		last = done
	}))
	if last != n {
		t.Errorf("the last progress was %d", last)
	}
	if got, err := s.UnindexedVectors(t.Context()); got != 0 || err != nil {
		t.Errorf("%d vectors without an index after building it, %v", got, err)
	}
	files := glob(t, dir, "vectors-*")
	if len(files) != 1 {
		t.Fatalf("index files %v", files)
	}
	before, err := os.Stat(files[0])
	must(t, err)
	if len(nearestIn(t, dir, false)) != 10 {
		t.Error("the search found nothing")
	}
	if after, err := os.Stat(files[0]); err != nil || !os.SameFile(before, after) {
		t.Errorf("the search built the index again, %v", err)
	}
	must(t, s.IndexVectors(t.Context(), func(int, int) { t.Error("built again") }))
}

func TestIndexVectors_FewOrNone(t *testing.T) {
	dir := t.TempDir()
	s := openIn(t, Options{Dir: dir})
	must(t, s.IndexVectors(t.Context(), nil))
	embedded(t, dir, 20)
	must(t, s.IndexVectors(t.Context(), nil))
	if got, err := s.UnindexedVectors(t.Context()); got != 0 || err != nil || len(glob(t, dir, "vectors-*")) != 0 {
		t.Errorf("%d vectors, %v, files %v", got, err, glob(t, dir, "vectors-*"))
	}
}

// A build that cannot be stored fails; it is not kept in memory.
func TestIndexVectors_NoRoom(t *testing.T) {
	dir := t.TempDir()
	embedded(t, dir, minIndexed+1)
	s := openIn(t, Options{Dir: dir, ReadOnly: true})
	err := s.IndexVectors(t.Context(), nil)
	var known *errs.Error
	if !errors.As(err, &known) || !strings.Contains(known.Message, "the vector index was not built: ") || !strings.Contains(known.Hint, "search") {
		t.Errorf("got %v", err)
	}
	if len(nearestIn(t, dir, true)) != 10 {
		t.Error("searching does not work without an index file")
	}
}
