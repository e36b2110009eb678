//go:build purego || !(amd64 || arm64)

package simd

func dotHalfBlocks64(out []float64, query []float32, rows []uint16) {
	dotHalfBlocks64Go(out, query, rows)
}

// dotHalfFours64 leaves all rows to dotHalfBlocks64.
func dotHalfFours64([]float64, []float32, []uint16, []int32) (done int) { return 0 }
