package vecindex

import (
	"iter"
	"math/bits"
)

// Set is a set of rows, one bit each. A nil Set stands for all rows where a Set is a parameter.
type Set []uint64

// NewSet returns an empty set of the rows below n.
func NewSet(n int) Set { return make(Set, (n+63)/64) }

// Add adds a row to the set.
func (s Set) Add(row int) { s[row/64] |= 1 << (row % 64) }

// Remove removes a row from the set.
func (s Set) Remove(row int) { s[row/64] &^= 1 << (row % 64) }

// Has reports whether a row is in the set.
func (s Set) Has(row int) bool { return s[row/64]&(1<<(row%64)) != 0 }

// count returns the number of rows of [lo, hi) in the set.
func (s Set) count(lo, hi int) int {
	if s == nil {
		return hi - lo
	}
	n := 0
	for from, to := range s.runs(lo, hi) {
		n += to - from
	}
	return n
}

// runs yields the maximal ranges of [lo, hi) that are in the set.
func (s Set) runs(lo, hi int) iter.Seq2[int, int] {
	return func(yield func(from, to int) bool) {
		if s == nil {
			if lo < hi {
				yield(lo, hi)
			}
			return
		}
		for lo < hi {
			from := s.next(lo, hi, 0)
			if from == hi {
				return
			}
			lo = s.next(from, hi, ^uint64(0))
			if !yield(from, lo) {
				return
			}
		}
	}
}

// next returns the first row of [from, hi) that is in the set, or not in the set if inverted is ^0; hi
// if there is none.
func (s Set) next(from, hi int, inverted uint64) int {
	for from < hi {
		if word := (s[from/64] ^ inverted) >> (from % 64); word != 0 {
			return min(from+bits.TrailingZeros64(word), hi)
		}
		from = (from/64 + 1) * 64
	}
	return hi
}

// bits sets out to the rows of the range from row lo on, a multiple of 64, one bit each. It reports whether there are
// any.
func (w RowRange) bits(out []uint64, lo int) (any bool) {
	for i := range out {
		from, to := max(w.Lo-lo-64*i, 0), min(w.Hi-lo-64*i, 64)
		out[i] = 0
		if from < to {
			out[i] = ^uint64(0) << from & (^uint64(0) >> (64 - to))
			if w.Keep != nil {
				out[i] &= w.Keep[lo/64+i]
			}
		}
		any = any || out[i] != 0
	}
	return any
}
