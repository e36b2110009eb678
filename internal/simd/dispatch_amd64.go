//go:build !purego

package simd

import "github.com/klauspost/cpuid/v2"

// level is what this machine offers. Tests lower it to compare.
var level = detect()

func detect() instructions {
	switch {
	case cpuid.CPU.Supports(cpuid.AVX512F, cpuid.AVX512BW, cpuid.AVX512DQ, cpuid.AVX512VPOPCNTDQ, cpuid.AVX2, cpuid.FMA3, cpuid.F16C):
		return avx512
	case cpuid.CPU.Supports(cpuid.AVX2, cpuid.FMA3, cpuid.F16C, cpuid.POPCNT):
		return avx2
	}
	return pureGo
}

func hammingRows(out []uint32, query, rows []uint64) {
	block := 4
	switch level {
	case avx512:
		block = 8
		hammingRowsAVX512(&out[0], &query[0], &rows[0], len(query), len(out))
	case avx2:
		hammingRowsPOPCNT(&out[0], &query[0], &rows[0], len(query), len(out))
	default:
		hammingRowsGo(out, query, rows)
		return
	}
	addHammingTail(out, query, rows, len(query)&^(block-1))
}

func dotInt8Rows(out []int32, query, rows []int8) {
	block := 16
	switch {
	case level == avx512 && vnni:
		block = 64
		dotInt8RowsVNNI(&out[0], &query[0], &rows[0], len(query), len(out))
	case level == avx512:
		block = 32
		dotInt8RowsAVX512(&out[0], &query[0], &rows[0], len(query), len(out))
	case level == avx2:
		dotInt8RowsAVX2(&out[0], &query[0], &rows[0], len(query), len(out))
	default:
		dotInt8RowsGo(out, query, rows)
		return
	}
	addInt8Tail(out, query, rows, len(query)&^(block-1))
}

func dotHalfRows(out, query []float32, rows []uint16) {
	block := 8
	switch level {
	case avx512:
		block = 16
		dotHalfRowsAVX512(&out[0], &query[0], &rows[0], len(query), len(out))
	case avx2:
		dotHalfRowsAVX2(&out[0], &query[0], &rows[0], len(query), len(out))
	default:
		dotHalfRowsGo(out, query, rows)
		return
	}
	addHalfTail(out, query, rows, len(query)&^(block-1))
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

// tileSize returns the rows and columns of the tile that tile computes.
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

// Rows are width values long; whole blocks of the first ones are handled, and out is overwritten.

//go:noescape
func hammingRowsAVX512(out *uint32, query, rows *uint64, width, n int)

//go:noescape
func hammingRowsPOPCNT(out *uint32, query, rows *uint64, width, n int)

//go:noescape
func dotInt8RowsAVX512(out *int32, query, rows *int8, width, n int)

//go:noescape
func dotInt8RowsAVX2(out *int32, query, rows *int8, width, n int)

//go:noescape
func dotHalfRowsAVX512(out, query *float32, rows *uint16, width, n int)

//go:noescape
func dotHalfRowsAVX2(out, query *float32, rows *uint16, width, n int)

//go:noescape
func dotRowsAVX512(out, query, rows *float32, width, n int)

//go:noescape
func dotRowsAVX2(out, query, rows *float32, width, n int)

//go:noescape
func tileAVX512(c *float32, ldc int, a, b *float32, k int)

//go:noescape
func tileAVX2(c *float32, ldc int, a, b *float32, k int)
