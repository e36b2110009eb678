package vecindex

import (
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"go.uber.org/goleak"

	"lens/internal/testenv"
	"lens/store"
	"lens/store/vecindex/vectest"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

var must = testenv.Must

// contents are rows of a source, of which some are equal, under shuffled ordinals.
func contents(source *vectest.Generator, dim, rows int) Contents {
	r := rand.New(rand.NewPCG(uint64(dim), uint64(rows)))
	c := Contents{Dim: dim, Tag: Tag{1, -2, 3, 4}}
	var first []byte
	all := make([][]byte, rows)
	for i, p := range r.Perm(rows) {
		c.Ords, c.Keys = append(c.Ords, store.Ord(p+1)), append(c.Keys, int64(i*i))
		all[i] = store.Halves(source.Next(nil))
		if i > 0 && r.IntN(50) == 0 {
			all[i] = first
		}
		first = all[0]
	}
	c.Rows = func(yield func([]byte, error) bool) {
		for _, row := range all {
			if !yield(row, nil) {
				return
			}
		}
	}
	return c
}

// shapes have one plane each: none, steps, and signs.
var shapes = []struct{ dim, rows int }{{16, 500}, {43, 4500}, {1060, 3000}}

// inMemory returns an index of a shape, and where its queries come from.
func inMemory(tb testing.TB, dim, rows int) (*Index, *vectest.Generator) {
	tb.Helper()
	source := vectest.New(uint64(rows), dim)
	x, err := New(contents(source, dim, rows))
	must(tb, err)
	return x, source
}

// written writes an index of a shape, and returns it with its file.
func written(tb testing.TB, dim, rows int) (x *Index, path string) {
	tb.Helper()
	path = filepath.Join(tb.TempDir(), "vectors.idx")
	must(tb, Write(path, contents(vectest.New(uint64(rows), dim), dim, rows)))
	x, _ = inMemory(tb, dim, rows)
	return x, path
}

func readFile(tb testing.TB, path string) []byte {
	tb.Helper()
	file, err := os.ReadFile(path)
	must(tb, err)
	return file
}

// naive ranks every row that passes by store.Dot.
func naive(x *Index, query []float32, w RowRange, k int) []store.Neighbor {
	found := []store.Neighbor{}
	for i := max(w.Lo, 0); i < min(w.Hi, x.Len()); i++ {
		if w.Keep == nil || w.Keep.Has(i) {
			row := x.halves.data[i*2*x.Dim : (i+1)*2*x.Dim]
			found = append(found, store.Neighbor{Ord: x.ords[i], Similarity: store.Dot(query, row)})
		}
	}
	slices.SortFunc(found, CompareNeighbors)
	return found[:min(max(k, 0), len(found))]
}
