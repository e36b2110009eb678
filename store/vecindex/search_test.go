package vecindex

import (
	"cmp"
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"lens/internal/errs"
	"lens/store"
	"lens/store/vecindex/vectest"
)

// anyWindow draws a range of rows, and mostly a set: rows here and there, or a few stretches of them.
func anyWindow(t *rapid.T, n int) RowRange {
	w := RowRange{Lo: rapid.IntRange(-5, n+5).Draw(t, "lo"), Hi: rapid.IntRange(-5, n+5).Draw(t, "hi")}
	if rapid.Bool().Draw(t, "whole") {
		w.Lo, w.Hi = 0, n
	}
	r := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 1))
	switch rapid.IntRange(0, 2).Draw(t, "set") {
	case 1:
		share := rapid.Float64Range(0, 1).Draw(t, "share")
		w.Keep = NewSet(n)
		for row := range n {
			if r.Float64() < share {
				w.Keep.Add(row)
			}
		}
	case 2:
		w.Keep = NewSet(n)
		for range rapid.IntRange(0, 20).Draw(t, "stretches") {
			from := r.IntN(n)
			for row := from; row < min(from+r.IntN(500), n); row++ {
				w.Keep.Add(row)
			}
		}
	}
	return w
}

func TestSearch_AnyWindow(t *testing.T) {
	for _, shape := range shapes {
		x, source := inMemory(t, shape.dim, shape.rows)
		windows := rapid.Custom(func(t *rapid.T) RowRange { return anyWindow(t, x.Len()) })
		asked, missed := 0, 0
		for i := range 100 { // numbered, not random: what a plane misses is asserted over all of them
			w, k := windows.Example(i), rapid.IntRange(0, 200).Example(i)
			query := source.Query()
			got, err := x.Search(context.Background(), query, w, k)
			wanted := naive(x, query, w, k)
			if err != nil || len(got) != len(wanted) {
				t.Fatalf("dim %d: %d neighbors, %v, want %d", x.Dim, len(got), err, len(wanted))
			}
			if !x.looksAtAFew(w) && !slices.Equal(got, wanted) {
				t.Fatalf("dim %d: got %v, want %v", x.Dim, got, wanted)
			}
			asked += len(wanted)
			missed += len(without(wanted, got))
		}
		if recall := 1 - float64(missed)/float64(asked); recall < 0.999 {
			t.Errorf("dim %d: recall %.5f of %d", x.Dim, recall, asked)
		}
	}
}

// The rows are so many, and of so many dimensions, that a plane decides what is ranked.
func TestSearch_FilterKeepsRecall(t *testing.T) {
	for _, dim := range []int{1024, 384, 1536} {
		testFilters(t, dim)
		if testing.Short() {
			return // the others are searched without -short
		}
	}
}

func testFilters(t *testing.T, dim int) {
	const rows, least = 12_000, 0.999
	x, source := inMemory(t, dim, rows)
	r := rand.New(rand.NewPCG(rows, uint64(dim)))
	var asked, missed [2]int // of all rows, of some
	for i := range 40 {
		w, k, query := RowRange{Hi: rows}, 1+r.IntN(200), source.Query()
		if i%2 == 1 {
			w = randomWindow(r, rows)
		}
		got, err := x.Search(t.Context(), query, w, k)
		must(t, err)
		wanted := naive(x, query, w, k)
		if len(got) != len(wanted) || w.Keep.count(w.Lo, w.Hi) <= store.ExactWindow && !slices.Equal(got, wanted) || !slices.IsSortedFunc(got, CompareNeighbors) {
			t.Errorf("%d of rows %d to %d: got %v, want %v", k, w.Lo, w.Hi, got, wanted)
		}
		asked[i%2] += len(wanted)
		missed[i%2] += len(without(wanted, got))
	}
	for i, which := range []string{"all rows", "some"} {
		if recall := 1 - float64(missed[i])/float64(asked[i]); recall < least {
			t.Errorf("dim %d, of %s: recall %.5f of %d", dim, which, recall, asked[i])
		}
	}
}

// The vectors of many models lie on one side of the space: their common part carries no information, and would hide
// the rest.
func TestSearch_VectorsOnOneSide(t *testing.T) {
	const rows, dim, least = 12_000, 1024, 0.999
	source, side := vectest.New(rows, dim), vectest.New(dim, dim).Query()
	lean := func(v []float32) []float32 {
		leaning := make([]float32, dim)
		for i := range v {
			leaning[i] = v[i] + 1.5*side[i]
		}
		leaning, err := store.Unit(leaning)
		must(t, err)
		return leaning
	}
	c := Contents{Dim: dim, Ords: make([]store.Ord, rows), Keys: make([]int64, rows)}
	for i := range c.Ords {
		c.Ords[i] = store.Ord(i)
	}
	c.Rows = func(yield func([]byte, error) bool) {
		for range rows {
			if !yield(store.Halves(lean(source.Next(nil))), nil) {
				return
			}
		}
	}
	x, err := New(c)
	must(t, err)
	asked, missed := 0, 0
	for i := range 20 {
		query := side
		if i > 0 {
			query = lean(source.Query())
		}
		got, err := x.Search(t.Context(), query, RowRange{Hi: rows}, 100)
		must(t, err)
		wanted := naive(x, query, RowRange{Hi: rows}, 100)
		asked, missed = asked+len(wanted), missed+len(without(wanted, got))
	}
	if recall := 1 - float64(missed)/float64(asked); recall < least {
		t.Errorf("recall %.5f of %d", recall, asked)
	}
}

// looksAtAFew reports whether a search of a window does not rank all of it.
func (x *Index) looksAtAFew(w RowRange) bool {
	return x.plane != nil && w.Keep.count(max(w.Lo, 0), max(min(w.Hi, x.Len()), 0)) > exactLimit
}

// randomWindow is a range of rows of which some are kept.
func randomWindow(r *rand.Rand, rows int) RowRange {
	lo, share := r.IntN(rows/2), r.Float64()
	w := RowRange{Lo: lo, Hi: lo + 1 + r.IntN(rows-lo), Keep: NewSet(rows)}
	for row := range rows {
		if r.Float64() < share {
			w.Keep.Add(row)
		}
	}
	return w
}

// without returns those of wanted that are not in got, having made sure that all similarities in got are right.
func without(wanted, got []store.Neighbor) (missed []store.Neighbor) {
	in := make(map[store.Neighbor]bool, len(got))
	for _, n := range got {
		in[n] = true
	}
	for _, n := range wanted {
		if !in[n] {
			missed = append(missed, n)
		}
	}
	return missed
}

func TestSearch_RefusesNonUnitQuery(t *testing.T) {
	x, _ := inMemory(t, 16, 500)
	query := func(first float32, dim int) []float32 { return append([]float32{first}, make([]float32, dim-1)...) }
	for name, c := range map[string]struct {
		query []float32
		code  errs.Code
	}{
		"too short":    {query(1, 15), errs.DimensionMismatch},
		"too long":     {query(1, 17), errs.DimensionMismatch},
		"nothing":      {nil, errs.DimensionMismatch},
		"zero":         {query(0, 16), errs.Invalid},
		"no number":    {query(float32(math.NaN()), 16), errs.Invalid},
		"infinite":     {query(float32(math.Inf(-1)), 16), errs.Invalid},
		"of no length": {query(0.9, 16), errs.Invalid},
	} {
		if _, err := x.Search(t.Context(), c.query, RowRange{Hi: 500}, 5); errs.CodeOf(err) != c.code {
			t.Errorf("%s: got %v, want %s", name, err, c.code)
		}
	}
}

func TestSet_Runs(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 300).Draw(t, "rows")
		lo := rapid.IntRange(0, n).Draw(t, "lo")
		hi := rapid.IntRange(lo, n).Draw(t, "hi")
		s, wanted := NewSet(n), []int{}
		for _, row := range rapid.SliceOf(rapid.IntRange(0, n-1)).Draw(t, "set") {
			s.Add(row)
		}
		for row := lo; row < hi; row++ {
			if s.Has(row) {
				wanted = append(wanted, row)
			}
		}
		got, last := []int{}, -1
		for from, to := range s.runs(lo, hi) {
			if from >= to || from == last {
				t.Fatalf("run %d to %d after %d", from, to, last)
			}
			for row := from; row < to; row++ {
				got = append(got, row)
			}
			last = to
		}
		if !slices.Equal(got, wanted) || s.count(lo, hi) != len(wanted) {
			t.Fatalf("got %v, %d, want %v", got, s.count(lo, hi), wanted)
		}
	})
}

func TestSelectNearest(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		similarities := rapid.SliceOfN(rapid.IntRange(0, 20), 1, 200).Draw(t, "similarities")
		found, ords := make([]candidate, len(similarities)), make([]store.Ord, len(similarities))
		for i, n := range rapid.Permutation(similarities).Draw(t, "order") {
			found[i], ords[i] = candidate{row: int32(i), similarity: float64(n)}, store.Ord(len(similarities)-i)
		}
		k := rapid.IntRange(1, len(found)).Draw(t, "k")
		compare := func(a, b candidate) int {
			return cmp.Or(cmp.Compare(b.similarity, a.similarity), cmp.Compare(ords[a.row], ords[b.row]))
		}
		want := slices.SortedFunc(slices.Values(found), compare)[:k]
		selectNearest(ords, found, k)
		if got := slices.SortedFunc(slices.Values(found[:k]), compare); !slices.Equal(got, want) {
			t.Fatalf("got %v, want %v", got, want)
		}
	})
}

func TestSearch_CanceledContext(t *testing.T) {
	for _, shape := range shapes {
		x, source := inMemory(t, shape.dim, shape.rows)
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		if _, err := x.Search(ctx, source.Query(), RowRange{Hi: x.Len()}, 10); !errors.Is(err, context.Canceled) {
			t.Errorf("dim %d: got %v", x.Dim, err)
		}
	}
}
