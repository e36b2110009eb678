package vecindex

import "math"

// encoder computes the codes of a plane.
type encoder struct {
	kind     kind
	mean     []float32
	residual []float32 // u
}

// encode writes the code of x to zeroed memory and returns its factors.
func (e *encoder) encode(code, rest []byte, x []float32) (onMean, scale float32) {
	var along, square, onCode float64
	u, mean := e.residual[:len(x)], e.mean[:len(x)]
	for i, value := range x {
		difference := value - mean[i]
		u[i] = difference
		along += float64(value) * float64(mean[i])
		square += float64(difference) * float64(difference)
	}
	if e.kind.signs() {
		onCode = signs(code, u[:minSignsDim]) + signs(rest, u[minSignsDim:])
	} else {
		onCode = steps(code, u, square)
	}
	if onCode > 0 { // otherwise x is the mean
		scale = float32(square / onCode)
	}
	return float32(along), scale
}

// Sixteen steps, each a third of the standard deviation wide, minimize the error for normally distributed numbers.
const (
	stepBits  = 4
	levels    = 1 << stepBits
	middle    = (levels - 1) / 2.0
	stepWidth = 0.335 // in standard deviations (Max, Quantizing for minimum distortion, 1960)
)

// widthOf returns the width of a step for n numbers with the given sum of squares.
func widthOf(square float64, n int) float64 {
	return stepWidth * math.Sqrt(max(square, 1e-12)/float64(n)) // avoids a width of zero for the mean itself
}

// level returns the step, from 0 to 15, of a value that is x widths from the middle.
func level(x float64) int { return min(max(int(x+levels/2), 0), levels-1) }
