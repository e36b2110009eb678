//go:build !purego

package simd

// extrapolate handles whole blocks of eight values and returns how many values that are.
func extrapolate(out, offsets []float32, products []int32, offset, times, more float32) (done int) {
	if done = len(out) &^ 7; done == 0 || level < avx2 {
		return 0
	}
	extrapolateAVX2(&out[0], &offsets[0], &products[0], done, offset, times, more)
	return done
}

// atLeast does the same for AtLeast.
func atLeast(reached []uint64, values []float32, least float32) (done int) {
	if done = len(values) &^ 7; done == 0 || level < avx2 {
		return 0
	}
	atLeastAVX2(&reached[0], &values[0], done, least)
	return done
}

//go:noescape
func extrapolateAVX2(out, offsets *float32, products *int32, n int, offset, times, more float32)

//go:noescape
func atLeastAVX2(reached *uint64, values *float32, n int, least float32)
