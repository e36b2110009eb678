//go:build !purego

package simd

// width is the length of a row in words or bytes; n is the number of rows.

//go:noescape
func weightedHammingPickedNEON(out *int32, query, rows *uint64, picked *int32, width, n int)

// width is the number of columns, an even number; n is the number of groups.
//
//go:noescape
func hammingGroupsNEON(out *int32, table, columns *byte, width, n int)

//go:noescape
func dotNibbleRowsNEON(out *int32, query *int8, rows *byte, width, n int)
