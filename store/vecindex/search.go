package vecindex

import (
	"context"
	"slices"
	"sync"

	"lens/store"
)

// Window says which rows a search is about: those of [Lo, Hi) that are in Keep, nil for all of them.
type Window struct {
	Lo, Hi int
	Keep   Set
}

// Search returns up to k rows of the window by descending inner product with query, ties by ascending Ord. The products are those
// of store.Dot; how surely the rows are the nearest is said above. Errors: those of store.CheckQuery, ErrDamaged, ctx.Err().
func (x *Index) Search(ctx context.Context, query []float32, w Window, k int) ([]store.Neighbour, error) {
	if err := store.CheckQuery("vecindex: search", query, x.Dim); err != nil {
		return nil, err
	}
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

// rankAll ranks every row of the window.
func (x *Index) rankAll(ctx context.Context, query []float32, w Window, k int, s *scratch) ([]store.Neighbour, error) {
	s.found = s.found[:0]
	for from, to := range w.Keep.runs(w.Lo, w.Hi) {
		for row := from; row < to; row++ {
			s.found = append(s.found, candidate{row: int32(row)})
		}
	}
	if err := x.rank(ctx, query, s.found); err != nil {
		return nil, err
	}
	return neighbours(x.ords, best(x.ords, s.found, k), k), nil
}

// rankNearest ranks those of the window's n rows that the plane says are near.
func (x *Index) rankNearest(ctx context.Context, query []float32, w Window, k, n int, s *scratch) ([]store.Neighbour, error) {
	p := x.plane.probe(query)
	if err := x.measure(ctx, p, w, s); err != nil {
		return nil, err
	}
	s.collect(w, p.cut(s.counts, k, n))
	if e, ok := p.(estimator); ok {
		return rankLikely(ctx, x.ords, e, k, s, func(ctx context.Context, found []candidate) error { return x.rank(ctx, query, found) })
	}
	if err := x.rank(ctx, query, s.found); err != nil {
		return nil, err
	}
	return neighbours(x.ords, best(x.ords, s.found, k), k), nil
}

// scratch is the memory of one search.
type scratch struct {
	distances []uint32 // of the rows from the window's first on
	counts    []uint32 // rows at each distance
	found     []candidate
	estimates []float64 // of those that are being ranked
}

var scratches = sync.Pool{New: func() any { return new(scratch) }}

// collect finds the rows whose distance is at most within.
func (s *scratch) collect(w Window, within uint32) {
	s.found = s.found[:0]
	for from, to := range w.Keep.runs(w.Lo, w.Hi) {
		for i, d := range s.distances[from-w.Lo : to-w.Lo] {
			if d <= within {
				s.found = append(s.found, candidate{row: int32(from + i)})
			}
		}
	}
}

// reset makes room for so many distances and bins.
func (s *scratch) reset(rows, bins int) {
	s.distances = slices.Grow(s.distances[:0], rows)[:rows]
	s.counts = slices.Grow(s.counts[:0], bins)[:bins]
	clear(s.counts)
}
