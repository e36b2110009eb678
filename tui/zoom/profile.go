package zoom

import (
	"sort"

	"lens/retrieval"
	"lens/retrieval/timebin"
)

// Profile counts the turns of the archive over time: the baseline of every histogram, and the histogram itself
// without a query. Days of the whole archive are fetched once, hours of a window when they are shown.
type Profile struct {
	Days   Tally
	Hours  Tally
	Window Span // that hours covers
	Fine   bool // hours are divided further, as the finest bins need
}

// Tally is a cumulative count: sums[i] turns come before edges[i].
type Tally struct {
	edges []int64
	sums  []int
}

// NewTally returns the counts of a histogram.
func NewTally(h retrieval.Histogram) Tally {
	if len(h.Bins) == 0 {
		return Tally{}
	}
	t := Tally{edges: []int64{h.Bins[0].Start.Unix()}, sums: []int{0}}
	total := 0
	for _, b := range h.Bins {
		total += b.Count
		t.edges, t.sums = append(t.edges, b.End.Unix()), append(t.sums, total)
	}
	return t
}

// Before returns how many turns come before at. It is exact at edges; elsewhere it ignores the bin that at divides.
func (t Tally) Before(at int64) int {
	i := sort.Search(len(t.edges), func(i int) bool { return t.edges[i] > at })
	if i == 0 {
		return 0
	}
	return t.sums[i-1]
}

// Between returns how many turns lie in s.
func (t Tally) Between(s Span) int { return t.Before(s.To) - t.Before(s.From) }

// Within returns how many turns lie in s, which must begin and end as bins do; 0 until what that needs is loaded.
func (p Profile) Within(s Span) int {
	switch {
	case wholeDays(s):
		return p.Days.Between(s)
	case p.Window.Covers(s) && (p.Fine || s.From%HourLong == 0 && s.To%HourLong == 0):
		return p.Hours.Between(s)
	}
	return 0
}

// Lacks reports whether a view needs hours, or parts of them, that are not loaded.
func (p Profile) Lacks(z Zoom) bool {
	unit := z.Unit().Unit
	needs := unit <= timebin.Hour || !wholeDays(z.Span)
	return !z.IsEmpty() && needs && !(p.Window.Covers(z.Span) && (p.Fine || unit != timebin.Minute))
}

// Divided returns the bins by which a window must be counted for a view of it.
func (z Zoom) Divided() timebin.Bin {
	if z.Unit().Unit == timebin.Minute {
		return ladder[0]
	}
	return Hourly
}

func wholeDays(s Span) bool { return s.From%DayLong == 0 && s.To%DayLong == 0 }
