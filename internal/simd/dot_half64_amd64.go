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

//go:noescape
func dotHalfBlocks64AVX512(out *float64, query *float32, rows *uint16, width, n int)

//go:noescape
func dotHalfBlocks64AVX2(out *float64, query *float32, rows *uint16, width, n int)
