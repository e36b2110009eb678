//go:build !purego

package simd

// A row is so many words or bytes long.

//go:noescape
func weighedHammingRowsAVX512(out *int32, query, rows *uint64, width, n int)

//go:noescape
func weighedHammingRowsAVX2(out *int32, query, rows *uint64, width, n int)

//go:noescape
func dotNibbleRowsAVX512(out *int32, query *int8, rows *byte, width, n int)

//go:noescape
func dotNibbleRowsAVX2(out *int32, query *int8, rows *byte, width, n int)
