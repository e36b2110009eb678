//go:build !purego

package simd

func dotHalfBlocks64(out []float64, query []float32, rows []uint16) {
	if level == pureGo {
		dotHalfBlocks64Go(out, query, rows)
		return
	}
	dotHalfBlocks64NEON(&out[0], &query[0], &rows[0], len(query), len(out))
}

//go:noescape
func dotHalfBlocks64NEON(out *float64, query *float32, rows *uint16, width, n int)

// dotHalfFours64 leaves all rows to dotHalfBlocks64.
func dotHalfFours64([]float64, []float32, []uint16, []int32) (done int) { return 0 }
