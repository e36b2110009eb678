//go:build !purego

package simd

import (
	"math/rand/v2"
	"testing"
)

func TestBytesAreMultipliedAlikeWithAndWithoutVNNI(t *testing.T) {
	if !vnni {
		t.Skip("SKIPPED: this processor has no VNNI")
	}
	defer func() { vnni = true }()
	r := rand.New(rand.NewPCG(5, 6))
	for _, width := range []int{1, 31, 32, 63, 64, 65, 100, 384, 1000} {
		query, rows := make([]int8, width), make([]int8, 3*width)
		for i := range rows {
			query[i%width], rows[i] = int8(r.Uint32()), int8(r.Uint32())
		}
		rows[0], query[0] = -128, -128
		with, without := make([]int32, 3), make([]int32, 3)
		vnni = true
		DotInt8Rows(with, query, rows)
		vnni = false
		DotInt8Rows(without, query, rows)
		for i := range with {
			if with[i] != without[i] {
				t.Errorf("width %d, row %d: %d with, %d without", width, i, with[i], without[i])
			}
		}
	}
}
