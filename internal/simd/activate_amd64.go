//go:build !purego

package simd

// activateBlock is how many values the block functions handle at a time; 1: there are none, all values take the plain way.
func activateBlock() int {
	switch level {
	case avx512:
		return 16
	case avx2:
		return 8
	}
	return 1
}

// greatestOfBlocks returns the greatest of v.
func greatestOfBlocks(v []float32) float32 {
	if level == avx512 {
		return greatestAVX512(&v[0], len(v)/16)
	}
	return greatestAVX2(&v[0], len(v)/8)
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
func greatestAVX512(v *float32, blocks int) float32

//go:noescape
func greatestAVX2(v *float32, blocks int) float32

//go:noescape
func expSumAVX512(v *float32, blocks int, shift, scale float32) float32

//go:noescape
func expSumAVX2(v *float32, blocks int, shift, scale float32) float32

//go:noescape
func geluAVX512(v *float32, blocks int)

//go:noescape
func geluAVX2(v *float32, blocks int)
