//go:build !purego

package simd

// width is the length of a row in words or bytes; n is the number of rows.

//go:noescape
func weightedHammingPickedAVX512(out *int32, query, rows *uint64, picked *int32, width, n int)

//go:noescape
func weightedHammingPickedAVX2(out *int32, query, rows *uint64, picked *int32, width, n int)

// width is the number of columns, a multiple of eight; n is the number of groups.
//
//go:noescape
func hammingFourGroupsAVX512(out *int32, table, columns *byte, width, n int)

//go:noescape
func hammingGroupsAVX2(out *int32, table, columns *byte, width, n int)

//go:noescape
func dotNibbleRowsAVX512(out *int32, query *int8, rows *byte, width, n int)

//go:noescape
func dotNibbleRowsAVX2(out *int32, query *int8, rows *byte, width, n int)
