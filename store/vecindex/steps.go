package vecindex

import (
	"math"

	"lens/internal/simd"
)

// steps writes u in steps to dst and returns the inner product of u with them, counted from their
// middle.
func steps(dst []byte, u []float32, square float64) (onCode float64) {
	perStep := 1 / widthOf(square, len(u))
	for i, x := range u {
		n := level(float64(x) * perStep)
		onCode += float64(x) * (float64(n) - middle)
		at, half := i/(2*simd.CodeBlock)*simd.CodeBlock+i%simd.CodeBlock, i/simd.CodeBlock%2
		dst[at] |= byte(n << (stepBits * half))
	}
	return onCode
}

// stepProbe multiplies steps with v rounded to bytes.
type stepProbe struct {
	*plane
	bytes               []int8
	times, more, onMean float32
}

func (p *plane) probeSteps(v []float32, onMean float64) *stepProbe {
	largest := 1e-6 // avoids division by zero for a query equal to the mean
	for _, x := range v {
		largest = max(largest, math.Abs(float64(x)))
	}
	times, sum := largest/math.MaxInt8, 0.0
	bytes := make([]int8, 2*p.codes.rowBytes)
	for i, x := range v {
		bytes[i] = int8(math.RoundToEven(float64(x) / times))
		sum += float64(bytes[i])
	}
	return &stepProbe{
		plane:  p,
		bytes:  bytes,
		times:  float32(times),
		more:   float32(-times * middle * sum),
		onMean: float32(onMean),
	}
}

const (
	minStepRows       = 2048 // rows
	stepRowShare      = 200  // one in this many rows of the range
	stepRowsPerResult = 8    // per requested row
)

func (s *stepProbe) wanted(k, n int) int {
	return max(minStepRows, n/stepRowShare, stepRowsPerResult*k)
}

func (s *stepProbe) estimate(w RowRange, best *shortlist) error {
	var products [maxAdded]int32
	var estimates [maxAdded]float32
	for from, to := range w.Keep.runs(w.Lo, w.Hi) {
		if err := s.codes.verify(from, to); err != nil {
			return err
		}
		for ; from < to; from += maxAdded {
			n := min(maxAdded, to-from)
			simd.DotNibbleRows(products[:n], s.bytes, s.codes.of(from, from+n))
			s.extrapolate(estimates[:n], products[:n], from, s.times, s.more, s.onMean)
			best.add(from, estimates[:n], nil)
		}
	}
	return nil
}

// refine does nothing: estimate has read the whole code.
func (s *stepProbe) refine([]candidate) error { return nil }
