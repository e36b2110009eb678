package vecindex

import (
	"encoding/binary"
	"iter"
	"math"

	"lens/internal/simd"
)

// signs writes the signs of u to dst and returns the inner product of u with them.
func signs(dst []byte, u []float32) (onCode float64) {
	for from := 0; from < len(u); from += 64 {
		var word uint64
		for i, x := range u[from:min(from+64, len(u))] {
			if x > 0 {
				word |= 1 << i
			}
			onCode += math.Abs(float64(x))
		}
		binary.LittleEndian.PutUint64(dst[from/8:], word)
	}
	return onCode
}

// signProbe compares signs with v in steps. It extrapolates from the first 1024 dimensions to all.
type signProbe struct {
	*plane
	first  simd.BitQuery // v in steps, one bit plane for each bit: the first 1024 dimensions
	rest   []uint64      // the others
	width  float64       // of a step
	onMean float64
	dim    float64
}

func (p *plane) probeSigns(v []float32, onMean float64) *signProbe {
	var square float64
	for _, x := range v {
		square += float64(x) * float64(x)
	}
	width := widthOf(square, len(v))
	return &signProbe{
		plane: p, first: simd.NewBitQuery(bitPlanes(v[:minSignsDim], p.groups.rowBytes, width)),
		rest:  bitPlanes(v[minSignsDim:], p.rests.rowBytes, width),
		width: width, onMean: onMean, dim: float64(len(v)),
	}
}

// bitPlanes returns v in steps, one bit plane for each bit, each as long as a row.
func bitPlanes(v []float32, rowBytes int, width float64) []uint64 {
	n := rowBytes / 8
	planes := make([]uint64, stepBits*n)
	for from := 0; from < len(v); from += 64 {
		var a, b, c, d uint64
		for i, x := range v[from:min(from+64, len(v))] {
			step, at := uint64(level(float64(x)/width)), i%64
			a |= step & 1 << at
			b |= step >> 1 & 1 << at
			c |= step >> 2 & 1 << at
			d |= step >> 3 << at
		}
		word := from / 64
		planes[word], planes[n+word], planes[2*n+word], planes[3*n+word] = a, b, c, d
	}
	return planes
}

const (
	minSignRows       = 4096 // rows
	signRowShare      = 100  // one in this many rows of the range
	signRowsPerResult = 16   // per requested row
)

func (s *signProbe) wanted(k, n int) int {
	return max(minSignRows, n/signRowShare, signRowsPerResult*k)
}

// estimate uses that the weighted sum of differing signs is the middle of all steps if v·c is zero,
// and decreases by one as v·c grows by the width of a step.
func (s *signProbe) estimate(w RowRange, best *shortlist) error {
	var weighted [maxAdded]int32
	var estimates [maxAdded]float32
	var keep [maxAdded / 64]uint64
	times := s.width * s.dim / minSignsDim
	more := float32(times * middle * minSignsDim)
	for lo := w.Lo / maxAdded * maxAdded; lo < w.Hi; lo += maxAdded {
		n := min(maxAdded, w.Hi-lo)
		if !w.bits(keep[:], lo) {
			continue
		}
		if err := s.groups.verify(lo, lo+n); err != nil {
			return err
		}
		for from, to := range runsOfGroups(keep[:]) {
			s.first.HammingGroups(weighted[from:to], s.groups.of(lo+from, lo+to))
		}
		s.extrapolate(estimates[:n], weighted[:n], lo, float32(-times), more, float32(s.onMean))
		best.add(lo, estimates[:n], keep[:])
	}
	return nil
}

// runsOfGroups yields the maximal ranges of groups each of which has rows in a set.
func runsOfGroups(set []uint64) iter.Seq2[int, int] {
	const rows = simd.GroupRows
	has := func(at int) bool { return at < 64*len(set) && uint32(set[at/64]>>(at%64)) != 0 }
	return func(yield func(from, to int) bool) {
		for from := 0; from < 64*len(set); from += rows {
			to := from
			for has(to) {
				to += rows
			}
			if to > from && !yield(from, to) {
				return
			}
			from = to
		}
	}
}

func (s *signProbe) refine(found []candidate) error {
	if s.rests.rowBytes == 0 {
		return nil
	}
	const known = minSignsDim
	var rows, weighted [512]int32
	for len(found) > 0 {
		part := found[:min(len(rows), len(found))]
		for i, c := range part {
			rows[i] = c.row
		}
		if err := s.rests.verifyRows(rows[:len(part)]); err != nil {
			return err
		}
		simd.WeightedHammingPicked(weighted[:len(part)], s.rest, view[uint64](s.rests.data), rows[:len(part)])
		for i := range part {
			row := int(rows[i])
			flat, scale := float64(s.factors[2*row])+s.onMean, float64(s.factors[2*row+1])
			first := (part[i].similarity - flat) * known / s.dim
			rest := scale * s.width * (middle*(s.dim-known) - float64(weighted[i]))
			part[i].similarity = flat + first + rest
		}
		found = found[len(part):]
	}
	return nil
}
