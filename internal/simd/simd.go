// Package simd holds the few inner loops that Lens spends its time in: distances between a query and many rows, and the matrix
// product of the built-in models. Each exists twice: in Go assembly for the instruction sets that are met in the wild, chosen when
// the program starts, and in plain Go (generic.go), which says what is meant and runs everywhere, also under the build tag purego.
//
// The rules are:
//
//   - Row kernels take a query and n rows stored one after another, and fill out with one result a row. Lengths are checked here,
//     once a call; assembly trusts them.
//   - Assembly handles whole blocks; what is left of a row that is no multiple of the block is added here.
//   - Integer kernels equal their twins exactly. Float kernels sum in another order: they differ by rounding only.
package simd

// CodeBlock is how many bytes the rows of bits and nibbles are a multiple of.
const CodeBlock = 64

// WeighedHammingRows sets out[i] to the number of bits in which row i of rows differs from the first query, and twice, four and eight times
// that of the second, third and fourth: the queries are the bits of numbers from 0 to 15. query has all four, one after another, each
// as long as a row, a multiple of CodeBlock bytes; rows holds len(out) of those. Other lengths panic.
func WeighedHammingRows(out []int32, query, rows []uint64) {
	width := len(query) / 4
	checkBlocks(len(query), 4*CodeBlock/8)
	if checkRows(len(out), width, len(rows)) {
		weighedHammingRows(out, query, rows)
	}
}

// DotNibbleRows sets out[i] to the inner product of query with row i of rows. The lower four bits of the first CodeBlock bytes of a row are
// its first values, from 0 to 15, the upper four are the next, and so on with each CodeBlock. A row has half as many bytes as the query, a
// multiple of CodeBlock, and rows holds len(out) of them; other lengths panic. Sums are exact up to a million dimensions.
func DotNibbleRows(out []int32, query []int8, rows []byte) {
	checkBlocks(len(query), 2*CodeBlock)
	if checkRows(len(out), len(query)/2, len(rows)) {
		dotNibbleRows(out, query, rows)
	}
}

// DotHalfRows sets out[i] to the inner product of query with row i of rows, whose values are IEEE 754 halves. A row has len(query)
// values, and rows holds len(out) of them; another length panics.
func DotHalfRows(out, query []float32, rows []uint16) {
	if checkRows(len(out), len(query), len(rows)) {
		dotHalfRows(out, query, rows)
	}
}

// DotRows sets out[i] to the inner product of query with row i of rows. Lengths as for DotHalfRows.
func DotRows(out, query, rows []float32) {
	if checkRows(len(out), len(query), len(rows)) {
		dotRows(out, query, rows)
	}
}

// Dot returns the inner product of two vectors of one length.
func Dot(a, b []float32) float32 {
	var out [1]float32
	DotRows(out[:], a, b)
	return out[0]
}

// Level names the instruction set in use: "avx512", "avx2", "neon" or "go".
func Level() string { return level.String() }

// checkRows reports whether there is anything to do, and panics when the lengths do not fit.
func checkRows(n, width, values int) bool {
	if n*width != values {
		panic("simd: rows do not fill the output")
	}
	return values > 0
}

func checkBlocks(n, block int) {
	if n%block != 0 {
		panic("simd: rows are no whole blocks")
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
