package vecindex

import (
	"context"
	"encoding/binary"
	"math"
	"slices"

	"lens/store"
)

// SketchMinDim is the dimension from which a sketch estimates well enough.
const SketchMinDim = minSignsDim

// Sketch is a plane of signs over vectors that are stored elsewhere: it selects those that are worth
// comparing. Its rows are numbered from 0 in the order in which they were added. A Sketch is immutable
// and safe for concurrent use.
type Sketch struct {
	plane *plane
	ords  []store.Ord
	rowOf []int32 // by ordinal; -1: none
}

// SketchRow is a vector's part of a sketch.
type SketchRow struct {
	Ord    store.Ord
	Signs  []uint64 // one bit per dimension, from the lowest bit on: 1 if greater than the mean
	OnMean float32  // its inner product with the mean
}

// NewSketch returns an empty sketch with room for room rows. mean may only approximate the mean of the
// vectors.
func NewSketch(mean []float32, room int) *Sketch {
	codeBytes, restBytes := signsPlane.codeBytes(len(mean)), signsPlane.restBytes(len(mean))
	return &Sketch{plane: &plane{
		kind: signsPlane, mean: mean, factors: make([]float32, 0, 2*room),
		groups: &groups{rowBytes: codeBytes, data: make([]byte, 0, wholeGroups(room)*codeBytes)},
		rests:  blocks{table: table{0, restBytes}, data: make([]byte, 0, room*restBytes)},
	}}
}

// With returns a sketch with additional rows. Call it at most once per sketch: both share memory.
func (s *Sketch) With(rows []SketchRow) *Sketch {
	more := *s.plane
	ords, rowOf := s.ords, slices.Clone(s.rowOf)
	dim, square := float64(len(more.mean)), 0.0
	for _, x := range more.mean {
		square += float64(x) * float64(x)
	}
	first := make([][]uint64, 0, len(rows))
	for _, r := range rows {
		for int(r.Ord) >= len(rowOf) {
			rowOf = append(rowOf, -1)
		}
		rowOf[r.Ord] = int32(len(ords))
		ords = append(ords, r.Ord)
		first = append(first, r.Signs[:minSignsDim/64])
		more.rests.add(r.Signs[minSignsDim/64 : (len(more.mean)+63)/64])
		// The length of the residual is known. Its inner product with its signs is taken to be that of normally
		// distributed numbers.
		length := math.Sqrt(max(1-2*float64(r.OnMean)+square, 0))
		more.factors = append(more.factors, r.OnMean, float32(length*math.Sqrt(math.Pi/2/dim)))
	}
	more.groups = more.groups.with(s.Len(), first)
	return &Sketch{plane: &more, ords: ords, rowOf: rowOf}
}

// add appends a row of words, padded with zeros.
func (b *blocks) add(words []uint64) {
	b.rows++
	for _, word := range words {
		b.data = binary.LittleEndian.AppendUint64(b.data, word)
	}
	b.data = append(b.data, make([]byte, b.rows*b.rowBytes-len(b.data))...)
}

// Len returns the number of rows.
func (s *Sketch) Len() int { return len(s.ords) }

// Mean returns the mean that the signs refer to.
func (s *Sketch) Mean() []float32 { return s.plane.mean }

// Row returns the row of a turn.
func (s *Sketch) Row(ord store.Ord) (row int, ok bool) {
	if int(ord) >= len(s.rowOf) || s.rowOf[ord] < 0 {
		return 0, false
	}
	return int(s.rowOf[ord]), true
}

// Search returns up to k of the rows in keep (nil: all) by descending similarity, ties by ascending
// Ord. compare returns the similarities of turns, in their order; Search calls it a few times. Errors:
// those of store.CheckQuery and compare, ctx.Err().
func (s *Sketch) Search(
	ctx context.Context, query []float32, keep Set, k int, compare func(ords []store.Ord) ([]float64, error),
) ([]store.Neighbor, error) {
	if err := store.CheckQuery("vecindex: search", query, len(s.plane.mean)); err != nil {
		return nil, err
	}
	w := RowRange{Hi: s.Len(), Keep: keep}
	n := keep.count(w.Lo, w.Hi)
	if n == 0 || k <= 0 {
		return nil, ctx.Err()
	}
	memory := scratches.Get().(*scratch)
	defer scratches.Put(memory)
	p := s.plane.probe(query)
	memory.reset(p.wanted(k, n))
	if err := shortlistRows(ctx, p, w, n, &memory.shortlist); err != nil {
		return nil, err
	}
	return rankByEstimate(ctx, s.ords, p, k, memory, func(_ context.Context, found []candidate) error {
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
