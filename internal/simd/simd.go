// Package simd holds the few inner loops in which Lens spends its time: distances between a query and many rows, and
// the matrix product of the built-in models. Each exists in Go assembly, for common instruction sets, chosen at program
// start, and in plain Go (generic.go), which is the reference and runs everywhere, also with the build tag purego.
//
// The rules are:
//
//   - Row kernels take a query and n rows, stored one after another, and write one result a row to out. Lengths are
//     checked here, once a call; assembly trusts them.
//   - Assembly handles whole blocks. The rest of a row is added here.
//   - Integer kernels equal the reference exactly. Float kernels add in another order and differ by rounding only.
package simd

// CodeBlock is the block size in bytes: rows of bits and nibbles are multiples of it.
const CodeBlock = 64

// WeightedHammingPicked sets out[i] to the number of bits in which row picked[i] of rows differs from the first query,
// plus two, four and eight times that of the second, third and fourth query: the queries are the bit planes of numbers
// from 0 to 15. query holds the four, one after another, each as long as a row, which is a multiple of CodeBlock bytes.
// out and picked have the same length; each picked row is within rows. Anything else panics.
func WeightedHammingPicked(out []int32, query, rows []uint64, picked []int32) {
	width := len(query) / 4
	checkBlocks(len(query), 4*CodeBlock/8)
	if len(out) != len(picked) {
		panic("simd: rows do not match the output")
	}
	if len(out) == 0 || width == 0 {
		clear(out)
		return
	}
	n := uint64(len(rows) / width)
	for _, row := range picked {
		if uint64(row) >= n { // also below zero
			panic("simd: a picked row is not there")
		}
	}
	weightedHammingPicked(out, query, rows, picked)
}

// DotNibbleRows sets out[i] to the inner product of query with row i of rows. The low four bits of a row's first
// CodeBlock bytes are its first values, from 0 to 15; their high four bits are the next; and so on for each CodeBlock.
// A row has half as many bytes as the query, a multiple of CodeBlock; rows holds len(out) rows. Other lengths panic.
// Sums are exact up to a million dimensions.
func DotNibbleRows(out []int32, query []int8, rows []byte) {
	checkBlocks(len(query), 2*CodeBlock)
	if checkRows(len(out), len(query)/2, len(rows)) {
		dotNibbleRows(out, query, rows)
	}
}

// DotRows sets out[i] to the inner product of query with row i of rows. A row has len(query) values, and rows holds
// len(out) rows. Other lengths panic.
func DotRows(out, query, rows []float32) {
	if checkRows(len(out), len(query), len(rows)) {
		dotRows(out, query, rows)
	}
}

// Dot returns the inner product of two vectors of the same length.
func Dot(a, b []float32) float32 {
	var out [1]float32
	DotRows(out[:], a, b)
	return out[0]
}

// Level names the instruction set in use: "avx512", "avx2", "neon" or "go".
func Level() string { return level.String() }

// checkRows reports whether there is anything to compute. It panics if the lengths do not match.
func checkRows(n, width, values int) bool {
	if n*width != values {
		panic("simd: rows do not match the output")
	}
	return values > 0
}

func checkBlocks(n, block int) {
	if n%block != 0 {
		panic("simd: rows are not whole blocks")
	}
}

type instructions uint8

const (
	pureGo instructions = iota
	neon
	avx2
	avx512
)

func (l instructions) String() string { return [...]string{"go", "neon", "avx2", "avx512"}[l] }
