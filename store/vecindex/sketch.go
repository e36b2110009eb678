package vecindex

import (
	"context"
	"slices"

	"lens/store"
)

// SketchFrom is from which dimension on a sketch says enough of vectors.
const SketchFrom = bitsFrom

// Sketch is a plane of bits alone, for who keeps vectors elsewhere: it says which of them are worth a look. Its rows are numbered from 0 in
// the order in which they were added. A sketch is never changed: it is safe for concurrent use.
type Sketch struct {
	index Index // without halves
	bits  *bitMap
	rowOf []int32 // by ordinal; -1: none
}

// SketchRow is what a sketch keeps of a vector.
type SketchRow struct {
	Ord    store.Ord
	Signs  []uint64 // a bit each dimension, the first in the lowest of the first word: 1 where it is greater than the mean
	OnMean float32  // its inner product with the mean
}

// NewSketch returns a sketch of no vectors, with room for some. mean is about theirs; it need not be exactly that.
func NewSketch(mean []float32, room int) *Sketch {
	width := bitsPlane.rowBytes(len(mean)) / 8
	return &Sketch{bits: &bitMap{words: make([]uint64, 0, room*width), width: width, mean: mean, onMean: make([]float32, 0, room)}}
}

// With returns a sketch that has more rows. Of one sketch, only one may be made: the two share memory.
func (s *Sketch) With(rows []SketchRow) *Sketch {
	more := *s.bits
	ords, rowOf := s.index.ords, slices.Clone(s.rowOf)
	for _, r := range rows {
		for int(r.Ord) >= len(rowOf) {
			rowOf = append(rowOf, -1)
		}
		rowOf[r.Ord] = int32(len(ords))
		ords = append(ords, r.Ord)
		more.words, more.onMean = append(more.words, r.Signs[:more.width]...), append(more.onMean, r.OnMean)
	}
	return &Sketch{index: Index{Dim: len(more.mean), ords: ords, plane: &more}, bits: &more, rowOf: rowOf}
}

// Len returns the number of rows.
func (s *Sketch) Len() int { return s.index.Len() }

// Mean is what the signs of the rows are beyond.
func (s *Sketch) Mean() []float32 { return s.bits.mean }

// Row returns the row of a turn.
func (s *Sketch) Row(ord store.Ord) (row int, ok bool) {
	if int(ord) >= len(s.rowOf) || s.rowOf[ord] < 0 {
		return 0, false
	}
	return int(s.rowOf[ord]), true
}

// Search returns up to k of the rows in keep (nil: all) by descending similarity, ties by ascending Ord. Similarities are what compare
// says of some turns, in their order; it is called a few times. Errors: those of store.CheckQuery, compare's, ctx.Err().
func (s *Sketch) Search(ctx context.Context, query []float32, keep Set, k int, compare func(ords []store.Ord) ([]float64, error)) ([]store.Neighbour, error) {
	if err := store.CheckQuery("vecindex: search", query, len(s.bits.mean)); err != nil {
		return nil, err
	}
	w := Window{Hi: s.Len(), Keep: keep}
	n := keep.count(w.Lo, w.Hi)
	if n == 0 || k <= 0 {
		return nil, ctx.Err()
	}
	memory := scratches.Get().(*scratch)
	defer scratches.Put(memory)
	p := s.bits.probe(query).(*bitProbe)
	if err := s.index.measure(ctx, p, w, memory); err != nil {
		return nil, err
	}
	memory.collect(w, p.cut(memory.counts, k, n))
	return rankLikely(ctx, s.index.ords, p, k, memory, func(_ context.Context, found []candidate) error {
		ords := make([]store.Ord, len(found))
		for i := range found {
			ords[i] = s.index.ords[found[i].row]
		}
		similarities, err := compare(ords)
		if err != nil {
			return err
		}
		for i := range found {
			found[i].similarity = similarities[i]
		}
		return nil
	})
}
