package tui

import (
	"sort"

	"lens/retrieval"
)

// profile knows how many turns the archive holds in any stretch that is bounded by its edges: the baseline of every histogram, and the
// histogram itself as long as nothing is searched. Days of the whole archive are fetched once; hours of a window when they are shown.
type profile struct {
	days   tally
	hours  tally
	window span // that hours covers
}

// tally counts turns between edges. sums[i] is how many come before edges[i].
type tally struct {
	edges []int64
	sums  []int
}

func newTally(h retrieval.Histogram) tally {
	if len(h.Buckets) == 0 {
		return tally{}
	}
	t := tally{edges: []int64{h.Buckets[0].Start.Unix()}, sums: []int{0}}
	total := 0
	for _, b := range h.Buckets {
		total += b.Count
		t.edges, t.sums = append(t.edges, b.End.Unix()), append(t.sums, total)
	}
	return t
}

// before returns how many turns come before t, which must be an edge to be exact: of a bucket that t divides, none counts.
func (t tally) before(at int64) int {
	i := sort.Search(len(t.edges), func(i int) bool { return t.edges[i] > at })
	if i == 0 {
		return 0
	}
	return t.sums[i-1]
}

// between returns how many turns lie in s.
func (t tally) between(s span) int { return t.before(s.to) - t.before(s.from) }

// within returns how many turns lie in s, whose ends are whole hours; 0 as long as the hours that it takes are not there.
func (p profile) within(s span) int {
	switch {
	case wholeDays(s):
		return p.days.between(s)
	case p.window.covers(s):
		return p.hours.between(s)
	}
	return 0
}

// lacks reports whether the hours of a view are needed and not there.
func (p profile) lacks(z zoom) bool {
	return !z.isEmpty() && (z.unit() == hourly || !wholeDays(z.span)) && !p.window.covers(z.span)
}

func wholeDays(s span) bool { return s.from%dayLong == 0 && s.to%dayLong == 0 }
