//go:build !purego

package simd

import "github.com/klauspost/cpuid/v2"

// level is the instruction set in use. Tests lower it to compare implementations.
var level = detect()

func detect() instructions {
	switch {
	case cpuid.CPU.Supports(
		cpuid.AVX512F, cpuid.AVX512BW, cpuid.AVX512DQ, cpuid.AVX512VPOPCNTDQ, cpuid.AVX512VNNI,
		cpuid.AVX2, cpuid.FMA3, cpuid.F16C,
	):
		return avx512
	case cpuid.CPU.Supports(cpuid.AVX2, cpuid.FMA3, cpuid.F16C):
		return avx2
	}
	return pureGo
}

func weightedHammingPicked(out []int32, query, rows []uint64, picked []int32) {
	switch level {
	case avx512:
		weightedHammingPickedAVX512(&out[0], &query[0], &rows[0], &picked[0], len(query)/4, len(out))
	case avx2:
		weightedHammingPickedAVX2(&out[0], &query[0], &rows[0], &picked[0], len(query)/4, len(out))
	default:
		weightedHammingPickedGo(out, query, rows, picked)
	}
}

func hammingGroups(out []int32, table, columns []byte) {
	if level < avx2 {
		hammingGroupsGo(out, table, columns)
		return
	}
	width := len(table) / columnTable
	if fours := len(out) / (4 * GroupRows); level == avx512 && fours > 0 {
		hammingFourGroupsAVX512(&out[0], &table[0], &columns[0], width, fours)
		done := fours * 4 * GroupRows
		if out, columns = out[done:], columns[done*width:]; len(out) == 0 {
			return
		}
	}
	hammingGroupsAVX2(&out[0], &table[0], &columns[0], width, len(out)/GroupRows)
}

func dotNibbleRows(out []int32, query []int8, rows []byte) {
	switch level {
	case avx512:
		dotNibbleRowsAVX512(&out[0], &query[0], &rows[0], len(query)/2, len(out))
	case avx2:
		dotNibbleRowsAVX2(&out[0], &query[0], &rows[0], len(query)/2, len(out))
	default:
		dotNibbleRowsGo(out, query, rows)
	}
}

func dotRows(out, query, rows []float32) {
	block := 8
	switch level {
	case avx512:
		block = 16
		dotRowsAVX512(&out[0], &query[0], &rows[0], len(query), len(out))
	case avx2:
		dotRowsAVX2(&out[0], &query[0], &rows[0], len(query), len(out))
	default:
		dotRowsGo(out, query, rows)
		return
	}
	addTail(out, query, rows, len(query)&^(block-1))
}

// tileSize returns the number of rows and columns of a tile.
func tileSize() (rows, columns int) {
	switch level {
	case avx512:
		return 12, 32
	case avx2:
		return 6, 16
	}
	return 4, 4
}

func tile(c []float32, ldc int, a, b []float32, k int) {
	switch level {
	case avx512:
		tileAVX512(&c[0], ldc, &a[0], &b[0], k)
	case avx2:
		tileAVX2(&c[0], ldc, &a[0], &b[0], k)
	default:
		tileGo(c, ldc, a, b, k)
	}
}

// A row has width values. The kernels handle its whole blocks and overwrite out.

//go:noescape
func dotRowsAVX512(out, query, rows *float32, width, n int)

//go:noescape
func dotRowsAVX2(out, query, rows *float32, width, n int)

//go:noescape
func tileAVX512(c *float32, ldc int, a, b *float32, k int)

//go:noescape
func tileAVX2(c *float32, ldc int, a, b *float32, k int)
