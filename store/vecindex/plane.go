package vecindex

import (
	"lens/internal/simd"
	"lens/store"
)

// kind is the encoding of a plane.
type kind uint32

const (
	noPlane kind = iota
	signsPlane
	stepsPlane
	groupsPlane // signs, those that are read of every row in groups of rows
)

// exactLimit is the number of rows up to which all are ranked: reading their halves takes less time
// than selecting.
const exactLimit = store.ExactWindow

// minSignsDim is the dimension from which signs suffice, and the number of signs that are read of
// every row.
const minSignsDim = 1024

func kindFor(dim, rows int) kind {
	switch {
	case rows <= exactLimit:
		return noPlane
	case dim >= minSignsDim:
		return signsPlane
	}
	return stepsPlane
}

// fits reports whether an index of so many dimensions and rows may have a plane of this kind.
func (k kind) fits(dim, rows int) bool {
	wanted := kindFor(dim, rows)
	return k == wanted || k == groupsPlane && wanted == signsPlane
}

// signs reports whether codes are signs.
func (k kind) signs() bool { return k == signsPlane || k == groupsPlane }

// codeBytes returns the size of the part of a code that is read of every row.
func (k kind) codeBytes(dim int) int {
	switch k {
	case signsPlane, groupsPlane:
		return wholeBlocks(minSignsDim)
	case stepsPlane:
		return wholeBlocks(stepBits * dim)
	}
	return 0
}

// restBytes returns the size of the part of a code that is read of a few rows only.
func (k kind) restBytes(dim int) int {
	if k.signs() {
		return wholeBlocks(dim - minSignsDim)
	}
	return 0
}

// wholeBlocks returns the number of bytes for bits, in whole blocks.
func wholeBlocks(bits int) int {
	const block = 8 * simd.CodeBlock
	return (bits + block - 1) / block * simd.CodeBlock
}

// factorBytes returns the size of the mean and the factors.
func (k kind) factorBytes(dim, rows int) int64 {
	if k == noPlane {
		return 0
	}
	return 4*int64(dim) + 8*int64(rows)
}

// plane estimates the similarity of rows to a query without reading their halves. With the mean m of
// all rows, a query q = m + v and a row x = m + u,
//
//	q·x = v·u + m·x + v·m
//
// where m·x is stored for each row, v·m is the same for all, and v·u is estimated from v and the code
// c of u as v·c times |u|²/u·c (Gao and Long, RaBitQ, 2024).
type plane struct {
	kind         kind
	mean         []float32
	factors      []float32 // per row: m·x and |u|²/u·c
	codes, rests blocks
	groups       *groups // of codes; nil: steps
}

// probe estimates similarities to one query.
type probe interface {
	// wanted returns the number of n rows to rank when the k nearest are requested.
	wanted(k, n int) int
	// estimate adds the rows of w with their estimated similarities to best. Errors: ErrDamaged.
	estimate(w RowRange, best *shortlist) error
	// refine improves the estimates of found. Errors: ErrDamaged.
	refine(found []candidate) error
}

func (p *plane) probe(query []float32) probe {
	v, onMean := make([]float32, len(query)), 0.0
	for i, x := range query {
		v[i] = x - p.mean[i]
		onMean += float64(v[i]) * float64(p.mean[i])
	}
	if p.kind.signs() {
		return p.probeSigns(v, onMean)
	}
	return p.probeSteps(v, onMean)
}

// extrapolate sets out to the estimated similarities of the rows from lo on, given the products of
// their codes with that of v: v·c is times*product + more.
func (p *plane) extrapolate(out []float32, products []int32, lo int, times, more, onMean float32) {
	simd.Extrapolate(out[:len(products)], p.factors[2*lo:], products, onMean, times, more)
}
