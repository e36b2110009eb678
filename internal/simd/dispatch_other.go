//go:build purego || !(amd64 || arm64)

package simd

var level = pureGo

func weightedHammingPicked(out []int32, query, rows []uint64, picked []int32) {
	weightedHammingPickedGo(out, query, rows, picked)
}

func hammingGroups(out []int32, table, columns []byte) { hammingGroupsGo(out, table, columns) }

func dotNibbleRows(out []int32, query []int8, rows []byte) { dotNibbleRowsGo(out, query, rows) }

func dotRows(out, query, rows []float32) { dotRowsGo(out, query, rows) }

func tileSize() (rows, columns int) { return 4, 4 }

func tile(c []float32, ldc int, a, b []float32, k int) { tileGo(c, ldc, a, b, k) }
