package rank

import (
	"iter"
	"math/bits"
)

// Rows is a set of rows, a bit each.
type Rows []uint64

// NewRows returns an empty set of the rows below n.
func NewRows(n int) Rows { return make(Rows, (n+63)/64) }

// Union returns the set of the rows below n that are in one of lists.
func Union(n int, lists []PostingList) Rows {
	set := NewRows(n)
	for _, list := range lists {
		for _, row := range list.Rows {
			set.Add(row)
		}
	}
	return set
}

// Add puts a row into the set. Dividing what has no sign takes one instruction, here and below.
func (s Rows) Add(row int32) { s[uint32(row)/64] |= 1 << (uint32(row) % 64) }

// Remove takes a row out of the set.
func (s Rows) Remove(row int32) { s[uint32(row)/64] &^= 1 << (uint32(row) % 64) }

// Has reports whether a row is in the set.
func (s Rows) Has(row int32) bool { return s[uint32(row)/64]&(1<<(uint32(row)%64)) != 0 }

// Count returns how many rows of a window are in the set.
func (s Rows) Count(w RowRange) int {
	n := 0
	for from := w.From; from < w.To; {
		end := min(from/64*64+64, w.To)
		n += bits.OnesCount64(s.within(from, end))
		from = end
	}
	return n
}

// within returns the bits of those of [from, to), rows of one word, that are in the set.
func (s Rows) within(from, to int32) uint64 { return s[from/64] & span(from, to) }

// span returns the bits of rows [from, to) of one word.
func span(from, to int32) uint64 { return ^uint64(0) >> (64 - (to - from)) << (from % 64) }

// All yields the rows, ascending: in order of time.
func (s Rows) All() iter.Seq[int32] {
	return func(yield func(int32) bool) {
		for i, word := range s {
			for ; word != 0; word &= word - 1 {
				if !yield(int32(64*i + bits.TrailingZeros64(word))) {
					return
				}
			}
		}
	}
}
