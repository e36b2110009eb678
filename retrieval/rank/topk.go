package rank

import (
	"cmp"
	"math"
	"slices"
)

// rowScore is a row with its score.
type rowScore struct {
	row   int32
	score float64
}

// compareScores is the order of results. It is total, because no two rows are equal.
func compareScores(a, b rowScore) int {
	switch { // cmp.Compare looks for NaN, and no score is that
	case a.score > b.score:
		return -1
	case a.score < b.score:
		return 1
	}
	return cmp.Compare(a.row, b.row)
}

// selection keeps the k best rows of a stream. It buffers up to 2k rows and, when full, drops the worse half by
// quickselect: O(1) expected per row, in whatever order they come.
type selection struct {
	k         int
	kept      []rowScore
	full      bool     // whether threshold is known
	threshold rowScore // the k-th best so far, once full
}

func (s *selection) add(row int32, score float64) {
	x := rowScore{row, score}
	if s.k <= 0 || s.full && compareScores(s.threshold, x) < 0 {
		return
	}
	s.kept = append(s.kept, x)
	if len(s.kept) >= 2*s.k {
		s.shrink()
	}
}

func (s *selection) shrink() {
	partition(s.kept, s.k)
	s.kept = s.kept[:s.k]
	s.threshold, s.full = slices.MaxFunc(s.kept, compareScores), true
}

// best returns the best k in any order.
func (s *selection) best() []rowScore {
	if len(s.kept) > s.k {
		partition(s.kept, s.k)
		s.kept = s.kept[:s.k]
	}
	return s.kept
}

// sorted returns the best k in order.
func (s *selection) sorted() []rowScore {
	best := s.best()
	slices.SortFunc(best, compareScores)
	return best
}

// partition moves the first k of x, by compareScores, to its beginning.
func partition(x []rowScore, k int) {
	lo, hi := 0, len(x)
	for hi-lo > 1 {
		p := split(x[lo:hi]) + lo
		switch {
		case p == k || p+1 == k:
			return
		case p > k:
			hi = p
		default:
			lo = p + 1
		}
	}
}

// split partitions x around its middle element and returns where that ends up.
func split(x []rowScore) int {
	last := len(x) - 1
	x[len(x)/2], x[last] = x[last], x[len(x)/2]
	pivot, at := x[last], 0
	for i, r := range x[:last] {
		x[i], x[at] = x[at], r
		// No processor can predict which are better: the sign of the difference needs no branch.
		at += int(math.Float64bits(pivot.score-r.score) >> 63)
		if r.score == pivot.score && r.row < pivot.row {
			at++
		}
	}
	x[at], x[last] = x[last], x[at]
	return at
}
