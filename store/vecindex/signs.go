package vecindex

import (
	"encoding/binary"
	"math"

	"lens/internal/simd"
)

// signs writes the signs of u to dst, and returns the inner product of u with them.
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

// signProbe compares signs with v in steps: from the first 1024 of them it extrapolates to all.
type signProbe struct {
	*plane
	first, rest []uint64 // v in steps, a plane for each bit of them
	width       float64  // of a step
	onMean      float64
	dim         float64
}

func (p *plane) probeSigns(v []float32, onMean float64) *signProbe {
	var square float64
	for _, x := range v {
		square += float64(x) * float64(x)
	}
	s := &signProbe{
		plane: p, first: make([]uint64, stepBits*p.codes.rowBytes/8), rest: make([]uint64, stepBits*p.rests.rowBytes/8),
		width: widthOf(square, len(v)), onMean: onMean, dim: float64(len(v)),
	}
	spread(s.first, v[:signsFrom], s.width)
	spread(s.rest, v[signsFrom:], s.width)
	return s
}

// spread writes v in steps to planes of bits.
func spread(planes []uint64, v []float32, width float64) {
	n := len(planes) / stepBits
	for i, x := range v {
		step := uint64(level(float64(x) / width))
		for bit := range stepBits {
			planes[bit*n+i/64] |= step >> bit & 1 << (i % 64)
		}
	}
}

const (
	leastWanted = 4096 // rows
	shareWanted = 100  // one row of the window in so many
	timesWanted = 16   // for each row that is asked for
)

func (s *signProbe) wanted(k, n int) int { return max(leastWanted, n/shareWanted, timesWanted*k) }

// estimate uses that the weighed sum of signs that differ is the middle of all steps where v·c is nothing, and falls by one as v·c grows by
// the width of one.
func (s *signProbe) estimate(out []float32, lo int) {
	var weighed [256]int32
	times := s.width * s.dim / signsFrom
	for from := 0; from < len(out); from += len(weighed) {
		part := out[from:min(from+len(weighed), len(out))]
		simd.WeightedHammingRows(weighed[:len(part)], s.first, view[uint64](s.codes.of(lo+from, lo+from+len(part))))
		s.extrapolate(part, weighed[:len(part)], lo+from, float32(-times), float32(times*middle*signsFrom), float32(s.onMean))
	}
}

// ahead is how many rows before they are needed the rests of their codes are asked for.
const ahead = 16

func (s *signProbe) refine(found []candidate) error {
	if s.rests.rowBytes == 0 {
		return nil
	}
	const known = signsFrom
	var weighed [1]int32
	for i := range found {
		if i+ahead < len(found) {
			next := int(found[i+ahead].row)
			simd.Prefetch(view[uint64](s.rests.of(next, next+1)))
		}
		row := int(found[i].row)
		if err := s.rests.verify(row, row+1); err != nil {
			return err
		}
		simd.WeightedHammingRows(weighed[:], s.rest, view[uint64](s.rests.of(row, row+1)))
		flat, scale := float64(s.guide[2*row])+s.onMean, float64(s.guide[2*row+1])
		first := (found[i].similarity - flat) * known / s.dim
		rest := scale * s.width * (middle*(s.dim-known) - float64(weighed[0]))
		found[i].similarity = flat + first + rest
	}
	return nil
}
