package simd

// Extrapolate sets out[i] to offsets[2i] + offset + offsets[2i+1]·(times·products[i] + more), rounded after each
// operation. products has the length of out, offsets twice that. Other lengths panic.
func Extrapolate(out, offsets []float32, products []int32, offset, times, more float32) {
	offsets, products = offsets[:2*len(out)], products[:len(out)]
	n := extrapolate(out, offsets, products, offset, times, more)
	extrapolateGo(out[n:], offsets[2*n:], products[n:], offset, times, more)
}

// AtLeast sets bit i of reached, from the lowest of the first word on, if values[i] is least or more, and clears the
// other bits of as many words as values need. NaN is less than anything. A shorter reached panics.
func AtLeast(reached []uint64, values []float32, least float32) {
	reached = reached[:(len(values)+63)/64]
	clear(reached)
	n := atLeast(reached, values, least)
	for i := n; i < len(values); i++ {
		if values[i] >= least {
			reached[i/64] |= 1 << (i % 64)
		}
	}
}

func extrapolateGo(out, offsets []float32, products []int32, offset, times, more float32) {
	offsets, products = offsets[:2*len(out)], products[:len(out)]
	for i, n := range products {
		out[i] = offsets[2*i] + offset + float32(offsets[2*i+1]*float32(float32(times*float32(n))+more))
	}
}
