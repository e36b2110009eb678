package tui

import (
	"sort"

	"lens/retrieval"
)

// profile counts the turns of the archive over time: the baseline of every histogram, and the histogram itself
// without a query. Days of the whole archive are fetched once, hours of a window when they are shown.
type profile struct {
	days   tally
	hours  tally
	window span // that hours covers
}

// tally is a cumulative count: sums[i] turns come before edges[i].
type tally struct {
	edges []int64
	sums  []int
}

func newTally(h retrieval.Histogram) tally {
	if len(h.Bins) == 0 {
		return tally{}
	}
	t := tally{edges: []int64{h.Bins[0].Start.Unix()}, sums: []int{0}}
	total := 0
	for _, b := range h.Bins {
		total += b.Count
		t.edges, t.sums = append(t.edges, b.End.Unix()), append(t.sums, total)
	}
	return t
}

// before returns how many turns come before at. It is exact at edges; elsewhere it ignores the bin that at divides.
func (t tally) before(at int64) int {
	i := sort.Search(len(t.edges), func(i int) bool { return t.edges[i] > at })
	if i == 0 {
		return 0
	}
	return t.sums[i-1]
}

// between returns how many turns lie in s.
func (t tally) between(s span) int { return t.before(s.to) - t.before(s.from) }

// within returns how many turns lie in s, which must begin and end on the hour; 0 until the needed hours are loaded.
func (p profile) within(s span) int {
	switch {
	case wholeDays(s):
		return p.days.between(s)
	case p.window.covers(s):
		return p.hours.between(s)
	}
	return 0
}

// lacks reports whether a view needs hours that are not loaded.
func (p profile) lacks(z zoom) bool {
	return !z.isEmpty() && (z.unit() == hourly || !wholeDays(z.span)) && !p.window.covers(z.span)
}

func wholeDays(s span) bool { return s.from%dayLong == 0 && s.to%dayLong == 0 }
