package simd

import "testing"

// Also of no row, and of one that does not fill its lines.
func TestPrefetch(t *testing.T) {
	for n := range 20 {
		row := make([]uint64, n)
		for i := range row {
			row[i] = uint64(i)
		}
		Prefetch(row)
		for i, word := range row {
			if word != uint64(i) {
				t.Fatalf("word %d of %d is %d", i, n, word)
			}
		}
	}
}
