package simd

import "unsafe"

// Prefetch loads a row of bits into the cache ahead of its use. Rows that are far apart would otherwise be waited for
// one by one. It is a hint and changes no result.
func Prefetch(row []uint64) {
	if len(row) > 0 {
		prefetch(unsafe.Pointer(unsafe.SliceData(row)), (len(row)+7)/8)
	}
}
