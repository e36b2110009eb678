//go:build !purego

package simd

// activationBlock is the number of values in a block; 1 if there are no block functions.
func activationBlock() int {
	switch level {
	case avx512:
		return 16
	case avx2:
		return 8
	}
	return 1
}

// maxOfBlocks returns the maximum of v.
func maxOfBlocks(v []float32) float32 {
	if level == avx512 {
		return maxAVX512(&v[0], len(v)/16)
	}
	return maxAVX2(&v[0], len(v)/8)
}

// expSumBlocks replaces every x of v by e^((x-shift)*scale) and returns their sum.
func expSumBlocks(v []float32, shift, scale float32) float32 {
	if level == avx512 {
		return expSumAVX512(&v[0], len(v)/16, shift, scale)
	}
	return expSumAVX2(&v[0], len(v)/8, shift, scale)
}

func geluBlocks(v []float32) {
	if level == avx512 {
		geluAVX512(&v[0], len(v)/16)
		return
	}
	geluAVX2(&v[0], len(v)/8)
}

//go:noescape
func maxAVX512(v *float32, blocks int) float32

//go:noescape
func maxAVX2(v *float32, blocks int) float32

//go:noescape
func expSumAVX512(v *float32, blocks int, shift, scale float32) float32

//go:noescape
func expSumAVX2(v *float32, blocks int, shift, scale float32) float32

//go:noescape
func geluAVX512(v *float32, blocks int)

//go:noescape
func geluAVX2(v *float32, blocks int)
