//go:build purego || !(amd64 || arm64)

package simd

var level = pureGo

func hammingRows(out []uint32, query, rows []uint64) { hammingRowsGo(out, query, rows) }

func dotInt8Rows(out []int32, query, rows []int8) { dotInt8RowsGo(out, query, rows) }

func dotHalfRows(out, query []float32, rows []uint16) { dotHalfRowsGo(out, query, rows) }

func dotRows(out, query, rows []float32) { dotRowsGo(out, query, rows) }

func tileSize() (rows, columns int) { return 4, 4 }

func tile(c []float32, ldc int, a, b []float32, k int) { tileGo(c, ldc, a, b, k) }
