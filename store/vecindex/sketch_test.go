package vecindex

import (
	"errors"
	"math/rand/v2"
	"slices"
	"testing"

	"lens/internal/errs"
	"lens/store"
)

// sketched returns a sketch of all but the last rows of an index, one of all, and what compares its vectors.
func sketched(t *testing.T, x *Index, last int) (part, all *Sketch, compare func(query []float32) func([]store.Ord) ([]float64, error)) {
	t.Helper()
	rows, rowOf := make([]SketchRow, x.Len()), make(map[store.Ord]int)
	for i, ord := range x.ords {
		words := view[uint64](slices.Concat(x.plane.codes.of(i, i+1), x.plane.rests.of(i, i+1)))
		rows[i] = SketchRow{Ord: ord, Signs: words, OnMean: x.plane.factors[2*i]}
		rowOf[ord] = i
	}
	part = NewSketch(x.plane.mean, x.Len()).With(rows[:len(rows)-last])
	return part, part.With(rows[len(rows)-last:]), func(query []float32) func([]store.Ord) ([]float64, error) {
		return func(ords []store.Ord) (similarities []float64, err error) {
			for _, ord := range ords {
				similarity, err := x.Similarity(query, rowOf[ord])
				must(t, err)
				similarities = append(similarities, similarity)
			}
			return similarities, nil
		}
	}
}

func TestSketch_FindsWhatAnIndexFinds(t *testing.T) {
	const rows, last = 5000, 700
	x, source := inMemory(t, 1060, rows)
	part, all, compare := sketched(t, x, last)
	r := rand.New(rand.NewPCG(11, 12))
	for i := range 20 {
		query, k := source.Query(), 1+r.IntN(200)
		keep := NewSet(rows)
		for row := range rows {
			if r.IntN(8) > 0 {
				keep.Add(row)
			}
		}
		if i%4 == 0 {
			keep = nil
		}
		for _, c := range []struct {
			sketch *Sketch
			within RowRange
		}{{all, RowRange{Hi: rows, Keep: keep}}, {part, RowRange{Hi: rows - last, Keep: keep}}} {
			want, err := x.Search(t.Context(), query, c.within, k)
			must(t, err)
			found, err := c.sketch.Search(t.Context(), query, keep, k, compare(query))
			must(t, err)
			if !slices.Equal(found, want) {
				t.Fatalf("%d of %d rows: got %v, want %v", k, c.sketch.Len(), found, want)
			}
		}
	}
	if row, ok := all.Row(x.ords[rows-1]); row != rows-1 || !ok {
		t.Errorf("the last row is said to be %d (%v)", row, ok)
	}
	if _, ok := part.Row(x.ords[rows-1]); ok {
		t.Error("a row is there that was not added")
	}
}

func TestSketch_RefusesInvalidQuery(t *testing.T) {
	x, source := inMemory(t, 1060, 3000)
	_, all, compare := sketched(t, x, 0)
	query := source.Query()
	if _, err := all.Search(t.Context(), query[:1059], nil, 10, compare(query)); errs.CodeOf(err) != errs.DimensionMismatch {
		t.Errorf("a query of other dimensions: %v", err)
	}
	failed := errors.New("no")
	if _, err := all.Search(t.Context(), query, nil, 10, func([]store.Ord) ([]float64, error) { return nil, failed }); !errors.Is(err, failed) {
		t.Errorf("vectors that cannot be compared: %v", err)
	}
	for what, keep := range map[string]Set{"no rows": NewSet(all.Len()), "no sketch": nil} {
		sketch := all
		if keep == nil {
			sketch = NewSketch(all.Mean(), 0)
		}
		if found, err := sketch.Search(t.Context(), query, keep, 10, compare(query)); len(found) != 0 || err != nil {
			t.Errorf("%s: %v, %v", what, found, err)
		}
	}
}
