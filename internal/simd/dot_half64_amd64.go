//go:build !purego

package simd

func dotHalfBlocks64(out []float64, query []float32, rows []uint16) {
	switch level {
	case avx512:
		dotHalfBlocks64AVX512(&out[0], &query[0], &rows[0], len(query), len(out))
	case avx2:
		dotHalfBlocks64AVX2(&out[0], &query[0], &rows[0], len(query), len(out))
	default:
		dotHalfBlocks64Go(out, query, rows)
	}
}

// dotHalfFours64 handles whole fours of picked rows and returns how many that are. The sums of one row wait for each
// other, and its bytes come from memory: four rows at once take half as long, and the next four are prefetched.
func dotHalfFours64(out []float64, query []float32, rows []uint16, picked []int32) (done int) {
	width := len(query)
	if level < avx2 || width == 0 || width%8 != 0 {
		return 0
	}
	four := dotHalfFour64AVX2
	if level == avx512 {
		four = dotHalfFour64AVX512
	}
	row := func(i int) *uint16 { return &rows[int(picked[i])*width:][:width][0] }
	for ; done+4 <= len(picked); done += 4 {
		next := done
		if done+8 <= len(picked) {
			next += 4
		}
		four(&out[done], &query[0], row(done), row(done+1), row(done+2), row(done+3),
			row(next), row(next+1), row(next+2), row(next+3), width)
	}
	return done
}

//go:noescape
func dotHalfFour64AVX512(out *float64, query *float32, a, b, c, d, nextA, nextB, nextC, nextD *uint16, width int)

//go:noescape
func dotHalfFour64AVX2(out *float64, query *float32, a, b, c, d, nextA, nextB, nextC, nextD *uint16, width int)

//go:noescape
func dotHalfBlocks64AVX512(out *float64, query *float32, rows *uint16, width, n int)

//go:noescape
func dotHalfBlocks64AVX2(out *float64, query *float32, rows *uint16, width, n int)
