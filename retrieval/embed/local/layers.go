package local

import (
	"math"

	"lens/internal/simd"
)

// The parts that both architectures share. Activations are matrices stored row by row, one row a token; a batch's
// windows follow one another, and starts says where.

// linear is y = x·W + b.
type linear struct {
	weights *simd.Matrix
	bias    []float32
}

// onto adds x·W + b to y, which has rows rows.
func (l *linear) onto(y, x []float32, rows int, s *simd.Scratch) {
	out := len(l.bias)
	for i := range rows {
		row := y[i*out:][:out]
		for j, b := range l.bias {
			row[j] += b
		}
	}
	l.weights.MulAdd(y, out, x, len(x)/rows, rows, s)
}

// into sets y to x·W + b.
func (l *linear) into(y, x []float32, rows int, s *simd.Scratch) {
	out := len(l.bias)
	for i := range rows {
		copy(y[i*out:], l.bias)
	}
	l.weights.MulAdd(y, out, x, len(x)/rows, rows, s)
}

// layerNorm is a layer normalization: every row gets mean 0 and variance 1, then a scale and a bias per element.
type layerNorm struct {
	scale, bias []float32
	epsilon     float64
}

// into sets y to the normalized rows of x; y may be x.
func (n *layerNorm) into(y, x []float32, rows int) {
	width := len(n.scale)
	for i := range rows {
		n.row(y[i*width:(i+1)*width], x[i*width:(i+1)*width])
	}
}

func (n *layerNorm) row(y, x []float32) {
	mean := sum(x) / float32(len(x))
	for j, v := range x {
		y[j] = v - mean
	}
	variance := float64(simd.Dot(y, y)) / float64(len(y))
	scale := float32(1 / math.Sqrt(variance+n.epsilon))
	for j, v := range y {
		y[j] = v*scale*n.scale[j] + n.bias[j]
	}
}

func sum(x []float32) float32 {
	var s0, s1, s2, s3 float32
	for len(x) >= 4 {
		s0, s1, s2, s3 = s0+x[0], s1+x[1], s2+x[2], s3+x[3]
		x = x[4:]
	}
	for _, v := range x {
		s0 += v
	}
	return s0 + s1 + (s2 + s3)
}

// attend sets out, width values a row, to the self-attention of every window. qkv holds queries, keys and values
// side by side, 3·width values a row, each divided among the heads; scores are divided by the square root of a
// head's width.
func attend(out, qkv []float32, width, heads int, starts []int, w *workspace) {
	clear(out)
	for i := 1; i < len(starts); i++ {
		from, to := starts[i-1], starts[i]
		if from == to {
			continue
		}
		for h := range heads {
			attendHead(out[from*width:to*width], qkv[from*3*width:to*3*width], width, h, heads, to-from, w)
		}
	}
}

func attendHead(out, qkv []float32, width, h, heads, rows int, w *workspace) {
	size := width / heads
	query, key, value := qkv[h*size:], qkv[width+h*size:], qkv[2*width+h*size:]
	w.scores = grow(w.scores, rows*rows)
	clear(w.scores)
	w.keys.Pack(key, size, rows, 1, 3*width)
	w.keys.MulAdd(w.scores, rows, query, 3*width, rows, &w.scratch)
	w.sums = grow(w.sums, rows)
	scale := float32(1 / math.Sqrt(float64(size)))
	for i := range rows {
		w.sums[i] = simd.ExpSum(w.scores[i*rows:(i+1)*rows], scale)
	}
	w.values.Pack(value, rows, size, 3*width, 1)
	w.values.MulAdd(out[h*size:], width, w.scores, rows, rows, &w.scratch)
	for i, sum := range w.sums { // the softmax's division, done late because it then concerns fewer numbers
		mixed := out[i*width+h*size:][:size]
		for j := range mixed {
			mixed[j] /= sum
		}
	}
}

// mean sets out to the mean of x's rows; zero for no rows.
func mean(out, x []float32) {
	clear(out)
	rows := len(x) / len(out)
	for i := range rows {
		addScaled(out, x[i*len(out):(i+1)*len(out)], 1/float32(rows))
	}
}

// workspace holds the memory of a batch. One batch uses it at a time, and the next one reuses it.
type workspace struct {
	hidden, normed, qkv, context, inner []float32
	scores, sums                        []float32
	keys, values                        simd.Matrix
	scratch                             simd.Scratch
	starts                              []int
	ids                                 [][]int32
	vectors                             [][]float32
}

// layOut sets starts for windows of the given lengths plus extra rows each, and returns the number of rows.
func (w *workspace) layOut(windows [][]int32, extra int) int {
	rows := 0
	w.starts = append(w.starts[:0], 0)
	for _, ids := range windows {
		rows += len(ids) + extra
		w.starts = append(w.starts, rows)
	}
	return rows
}

// grow returns a slice of n values, in s's memory where that suffices. Its content is undefined.
func grow(s []float32, n int) []float32 {
	if cap(s) < n {
		return make([]float32, n)
	}
	return s[:n]
}
