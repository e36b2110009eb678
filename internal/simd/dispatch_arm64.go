//go:build !purego

package simd

// level is neon on every 64-bit Arm processor. Tests lower it to compare implementations.
var level = neon

func weightedHammingPicked(out []int32, query, rows []uint64, picked []int32) {
	if level == pureGo {
		weightedHammingPickedGo(out, query, rows, picked)
		return
	}
	weightedHammingPickedNEON(&out[0], &query[0], &rows[0], &picked[0], len(query)/4, len(out))
}

func hammingGroups(out []int32, table, columns []byte) {
	if level == pureGo {
		hammingGroupsGo(out, table, columns)
		return
	}
	hammingGroupsNEON(&out[0], &table[0], &columns[0], len(table)/columnTable, len(out)/GroupRows)
}

func dotNibbleRows(out []int32, query []int8, rows []byte) {
	if level == pureGo {
		dotNibbleRowsGo(out, query, rows)
		return
	}
	dotNibbleRowsNEON(&out[0], &query[0], &rows[0], len(query)/2, len(out))
}

func dotRows(out, query, rows []float32) {
	if level == pureGo {
		dotRowsGo(out, query, rows)
		return
	}
	dotRowsNEON(&out[0], &query[0], &rows[0], len(query), len(out))
	addTail(out, query, rows, len(query)&^7)
}

// tileSize returns the number of rows and columns of a tile.
func tileSize() (rows, columns int) {
	if level == pureGo {
		return 4, 4
	}
	return 8, 8
}

func tile(c []float32, ldc int, a, b []float32, k int) {
	if level == pureGo {
		tileGo(c, ldc, a, b, k)
		return
	}
	tileNEON(&c[0], ldc, &a[0], &b[0], k)
}

// A row has width values. The kernels handle its whole blocks and overwrite out.

//go:noescape
func dotRowsNEON(out, query, rows *float32, width, n int)

//go:noescape
func tileNEON(c *float32, ldc int, a, b *float32, k int)
