package simd

import "unsafe"

// Prefetch asks for the memory that a row of bits lies in, some time before it is read: rows that lie apart are waited for one by one
// otherwise. It is a hint, and changes nothing.
func Prefetch(row []uint64) {
	if len(row) > 0 {
		prefetch(unsafe.Pointer(unsafe.SliceData(row)), (len(row)+7)/8)
	}
}
