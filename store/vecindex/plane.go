package vecindex

import (
	"lens/internal/simd"
	"lens/store"
)

// kind is how a plane holds a vector.
type kind uint32

const (
	noPlane kind = iota
	signsPlane
	stepsPlane
)

// exactLimit is up to how many rows are ranked without a plane: their halves are read in less time than it takes to choose.
const exactLimit = store.ExactWindow

// signsFrom is from which dimension on signs are enough, and how many of them are.
const signsFrom = 1024

func kindFor(dim, rows int) kind {
	switch {
	case rows <= exactLimit:
		return noPlane
	case dim >= signsFrom:
		return signsPlane
	}
	return stepsPlane
}

// codeBytes is how much of a row's code is read of every row.
func (k kind) codeBytes(dim int) int {
	switch k {
	case signsPlane:
		return wholeBlocks(signsFrom)
	case stepsPlane:
		return wholeBlocks(stepBits * dim)
	}
	return 0
}

// restBytes is how much of it is read of a few rows only.
func (k kind) restBytes(dim int) int {
	if k == signsPlane {
		return wholeBlocks(dim - signsFrom)
	}
	return 0
}

// wholeBlocks is how many bytes so many bits take.
func wholeBlocks(bits int) int {
	const block = 8 * simd.CodeBlock
	return (bits + block - 1) / block * simd.CodeBlock
}

// guideBytes is the size of what is needed to read the plane.
func (k kind) guideBytes(dim, rows int) int64 {
	if k == noPlane {
		return 0
	}
	return 4*int64(dim) + 8*int64(rows)
}

// plane tells how similar rows are likely to be to a query, without reading their halves. With m the mean of all, q = m + v a query and
// x = m + u a row,
//
//	q·x = v·u + m·x + v·m
//
// of which m·x is known for each row, v·m is the same for all, and v·u is told by v and a code c of u: v·c times |u|²/u·c
// (Gao and Long, RaBitQ, 2024).
type plane struct {
	kind         kind
	mean         []float32
	guide        []float32 // each row: m·x, and |u|²/u·c
	codes, rests blocks
}

// probe knows the query.
type probe interface {
	// wanted is how many of n rows are worth more than an estimate when the k nearest are asked for.
	wanted(k, n int) int
	// estimate sets out to the likely similarities of the rows from lo on.
	estimate(out []float32, lo int)
	// refine improves the estimates of some rows. Errors: ErrDamaged.
	refine(found []candidate) error
}

func (p *plane) probe(query []float32) probe {
	v, onMean := make([]float32, len(query)), 0.0
	for i, x := range query {
		v[i] = x - p.mean[i]
		onMean += float64(v[i]) * float64(p.mean[i])
	}
	if p.kind == signsPlane {
		return p.probeSigns(v, onMean)
	}
	return p.probeSteps(v, onMean)
}

// extrapolate sets out to what rows from lo on are likely to have, whose codes and that of v have certain products: v·c is so many times
// the product and some more.
func (p *plane) extrapolate(out []float32, products []int32, lo int, times, more, onMean float32) {
	out, guide := out[:len(products)], p.guide[2*lo:][:2*len(products)]
	for i, n := range products {
		out[i] = guide[2*i] + onMean + guide[2*i+1]*(times*float32(n)+more)
	}
}
