//go:build !purego

package simd

// A row is so many words or bytes long.

//go:noescape
func weighedHammingRowsNEON(out *int32, query, rows *uint64, width, n int)

//go:noescape
func dotNibbleRowsNEON(out *int32, query *int8, rows *byte, width, n int)
