package vecindex

import (
	"context"
	"sync"

	"lens/store"
)

// RowRange is the set of rows to search: those of [Lo, Hi) that are in Keep (nil: all).
type RowRange struct {
	Lo, Hi int
	Keep   Set
}

// Search returns up to k rows of the range by descending inner product with query, ties by ascending
// Ord. The products are those of store.Dot; the package documentation describes the recall. Errors:
// those of store.CheckQuery, ErrDamaged, ctx.Err().
func (x *Index) Search(ctx context.Context, query []float32, w RowRange, k int) (found []store.Neighbor, err error) {
	if err := store.CheckQuery("vecindex: search", query, x.Dim); err != nil {
		return nil, err
	}
	err = CatchFault(func() error {
		found, err = x.search(ctx, query, w, k)
		return err
	})
	return found, err
}

func (x *Index) search(ctx context.Context, query []float32, w RowRange, k int) ([]store.Neighbor, error) {
	w.Lo, w.Hi = max(w.Lo, 0), min(w.Hi, x.Len())
	if w.Lo >= w.Hi || k <= 0 {
		return nil, ctx.Err()
	}
	s := scratches.Get().(*scratch)
	defer scratches.Put(s)
	n := w.Keep.count(w.Lo, w.Hi)
	if x.plane == nil || n <= max(exactLimit, 2*k) {
		return x.rankAll(ctx, query, w, k, s)
	}
	return x.rankNearest(ctx, query, w, k, n, s)
}

// rankAll ranks every row of the range.
func (x *Index) rankAll(ctx context.Context, query []float32, w RowRange, k int, s *scratch) ([]store.Neighbor, error) {
	s.found = s.found[:0]
	for from, to := range w.Keep.runs(w.Lo, w.Hi) {
		for row := from; row < to; row++ {
			s.found = append(s.found, candidate{row: int32(row)})
		}
	}
	if err := x.rank(ctx, query, s.found); err != nil {
		return nil, err
	}
	return neighbors(x.ords, topK(x.ords, s.found, k), k), nil
}

// rankNearest ranks those of the range's n rows that are likely to be near.
func (x *Index) rankNearest(
	ctx context.Context, query []float32, w RowRange, k, n int, s *scratch,
) ([]store.Neighbor, error) {
	p := x.plane.probe(query)
	s.reset(p.wanted(k, n))
	if err := shortlistRows(ctx, p, w, n, &s.shortlist); err != nil {
		return nil, err
	}
	rank := func(ctx context.Context, found []candidate) error { return x.rank(ctx, query, found) }
	return rankByEstimate(ctx, x.ords, p, k, s, rank)
}

// scratch is the memory of one search.
type scratch struct {
	shortlist
	estimates []float64 // of the rows being ranked
}

var scratches = sync.Pool{New: func() any { return new(scratch) }}
