//go:build purego || !(amd64 || arm64)

package simd

func dotHalfBlocks64(out []float64, query []float32, rows []uint16) {
	dotHalfBlocks64Go(out, query, rows)
}
