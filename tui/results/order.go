package results

import (
	"cmp"
	"slices"
)

// Sorting is how the user wants rows sorted; the zero value is by score, and the newest turns first.
type Sorting struct {
	ByDate   bool // matches by date, newest first, instead of by score; until something else is searched
	Reversed bool // these, oldest first
	Oldest   bool // without a query, the oldest turns first
}

// next returns the order of matches after this one: best, newest and oldest first.
func (s Sorting) next() Sorting {
	s.ByDate, s.Reversed = !s.Reversed, s.ByDate && !s.Reversed
	return s
}

// byScore returns the order of matches that one begins with.
func (s Sorting) byScore() Sorting { return Sorting{Oldest: s.Oldest} }

// words names the order of matches.
func (s Sorting) words() string {
	switch {
	case !s.ByDate:
		return "best first"
	case s.Reversed:
		return "oldest first"
	}
	return "newest first"
}

// sort sorts the rows of matches, which are by score, or turns. The undated are last.
func (s Sorting) sort(rows []Row, matches, oldest bool) {
	switch {
	case matches && !s.ByDate:
	case matches && s.Reversed, !matches && oldest:
		slices.SortStableFunc(rows, func(a, b Row) int {
			return cmp.Or(cmp.Compare(undatedLast(a), undatedLast(b)), cmp.Compare(a.At, b.At))
		})
	default:
		slices.SortStableFunc(rows, func(a, b Row) int {
			return cmp.Or(cmp.Compare(undatedLast(a), undatedLast(b)), cmp.Compare(b.At, a.At))
		})
	}
}

func undatedLast(r Row) int {
	if r.Clock == "" {
		return 1
	}
	return 0
}
