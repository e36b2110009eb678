package vecindex

import (
	"context"
	"encoding/binary"
	"math"
	"slices"

	"lens/store"
)

// SketchMinDim is from which dimension on a sketch says enough of vectors.
const SketchMinDim = signsFrom

// Sketch is a plane of signs alone, for who keeps vectors elsewhere: it says which of them are worth a look. Its rows are numbered from 0 in
// the order in which they were added. A sketch is never changed: it is safe for concurrent use.
type Sketch struct {
	plane *plane
	ords  []store.Ord
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
	section := func(rowBytes int) blocks {
		return blocks{table: table{0, rowBytes}, data: make([]byte, 0, room*rowBytes)}
	}
	return &Sketch{plane: &plane{
		kind: signsPlane, mean: mean, guide: make([]float32, 0, 2*room),
		codes: section(signsPlane.codeBytes(len(mean))), rests: section(signsPlane.restBytes(len(mean))),
	}}
}

// With returns a sketch that has more rows. Of one sketch, only one may be made: the two share memory.
func (s *Sketch) With(rows []SketchRow) *Sketch {
	more := *s.plane
	ords, rowOf := s.ords, slices.Clone(s.rowOf)
	dim, square := float64(len(more.mean)), 0.0
	for _, x := range more.mean {
		square += float64(x) * float64(x)
	}
	for _, r := range rows {
		for int(r.Ord) >= len(rowOf) {
			rowOf = append(rowOf, -1)
		}
		rowOf[r.Ord] = int32(len(ords))
		ords = append(ords, r.Ord)
		more.codes.add(r.Signs[:signsFrom/64])
		more.rests.add(r.Signs[signsFrom/64 : (len(more.mean)+63)/64])
		// Its length is known, and of its inner product with its signs what that of normally distributed numbers is.
		length := math.Sqrt(max(1-2*float64(r.OnMean)+square, 0))
		more.guide = append(more.guide, r.OnMean, float32(length*math.Sqrt(math.Pi/2/dim)))
	}
	return &Sketch{plane: &more, ords: ords, rowOf: rowOf}
}

// add appends a row that consists of these words, and zeros to its end.
func (b *blocks) add(words []uint64) {
	b.rows++
	for _, word := range words {
		b.data = binary.LittleEndian.AppendUint64(b.data, word)
	}
	b.data = append(b.data, make([]byte, b.rows*b.rowBytes-len(b.data))...)
}

// Len returns the number of rows.
func (s *Sketch) Len() int { return len(s.ords) }

// Mean is what the signs of the rows are beyond.
func (s *Sketch) Mean() []float32 { return s.plane.mean }

// Row returns the row of a turn.
func (s *Sketch) Row(ord store.Ord) (row int, ok bool) {
	if int(ord) >= len(s.rowOf) || s.rowOf[ord] < 0 {
		return 0, false
	}
	return int(s.rowOf[ord]), true
}

// Search returns up to k of the rows in keep (nil: all) by descending similarity, ties by ascending Ord. Similarities are what compare
// says of some turns, in their order; it is called a few times. Errors: those of store.CheckQuery, compare's, ctx.Err().
func (s *Sketch) Search(ctx context.Context, query []float32, keep Set, k int, compare func(ords []store.Ord) ([]float64, error)) ([]store.Neighbor, error) {
	if err := store.CheckQuery("vecindex: search", query, len(s.plane.mean)); err != nil {
		return nil, err
	}
	w := Window{Hi: s.Len(), Keep: keep}
	n := keep.count(w.Lo, w.Hi)
	if n == 0 || k <= 0 {
		return nil, ctx.Err()
	}
	memory := scratches.Get().(*scratch)
	defer scratches.Put(memory)
	p := s.plane.probe(query)
	memory.reset(p.wanted(k, n))
	if err := s.plane.likeliest(ctx, p, w, &memory.shortlist); err != nil {
		return nil, err
	}
	return rankLikely(ctx, s.ords, p, k, memory, func(_ context.Context, found []candidate) error {
		ords := make([]store.Ord, len(found))
		for i := range found {
			ords[i] = s.ords[found[i].row]
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
