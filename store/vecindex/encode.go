package vecindex

import "math"

// encoder makes the codes of a plane.
type encoder struct {
	kind   kind
	mean   []float32
	beyond []float32 // u
}

// encode writes the code of x to zeroed memory, and returns its guide.
func (e *encoder) encode(code, rest []byte, x []float32) (onMean, scale float32) {
	var along, square, onCode float64
	u, mean := e.beyond[:len(x)], e.mean[:len(x)]
	for i, value := range x {
		beyond := value - mean[i]
		u[i] = beyond
		along += float64(value) * float64(mean[i])
		square += float64(beyond) * float64(beyond)
	}
	if e.kind == signsPlane {
		onCode = signs(code, u[:signsFrom]) + signs(rest, u[signsFrom:])
	} else {
		onCode = steps(code, u, square)
	}
	if onCode > 0 { // else x is the mean
		scale = float32(square / onCode)
	}
	return float32(along), scale
}

// Sixteen steps, each a third of the standard deviation wide, take least away from numbers that are normally distributed.
const (
	stepBits  = 4
	levels    = 1 << stepBits
	middle    = (levels - 1) / 2.0
	stepWidth = 0.335 // in standard deviations (Max, Quantizing for minimum distortion, 1960)
)

// widthOf is the width of a step for n numbers with such a sum of squares.
func widthOf(square float64, n int) float64 {
	return stepWidth * math.Sqrt(max(square, 1e-12)/float64(n)) // what is the mean is no trouble
}

// level is the step, from 0 to 15, into which x falls that is so many widths from the middle.
func level(x float64) int { return min(max(int(x+levels/2), 0), levels-1) }
