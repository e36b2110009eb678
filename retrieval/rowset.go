package retrieval

import (
	"iter"
	"math/bits"

	"lens/retrieval/rank"
)

// rowSet is a set of rows. The nil set is empty.
type rowSet []uint64

func newRowSet(rows int) rowSet { return make(rowSet, (rows+63)/64) }

func (s rowSet) add(row int32) { s[row/64] |= 1 << (row % 64) }

// inAll returns the rows that are in all of lists; none when there are no lists.
func inAll(lists []rank.List, rows int) rowSet {
	var whole rowSet
	for _, list := range lists {
		here := newRowSet(rows)
		for _, row := range list.Rows {
			here.add(row)
		}
		whole = whole.and(here)
	}
	return whole
}

// and narrows s to the rows that t has too, in place; a nil s is t.
func (s rowSet) and(t rowSet) rowSet {
	if s == nil {
		return t
	}
	for i := range s {
		s[i] &= t[i]
	}
	return s
}

// all yields the rows, ascending: in order of time.
func (s rowSet) all() iter.Seq[int32] {
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
