package tui

import (
	"lens/internal/chart"
	"lens/retrieval/timebin"
	"lens/tui/histogram"
)

// chart counts the available results in the bins of the view. It is synchronous, so that a zoom shows at once.
func (m *model) chart() histogram.Chart {
	edges := m.zoom.edges()
	c := histogram.Chart{
		Histogram: chart.Histogram{Unit: m.zoom.unit()},
		Noun:      "turns",
		Stale:     m.isStale() && m.countsFound(),
		Zoned:     m.local,
		Share:     m.share && m.isSearching(),
	}
	if len(edges) < 2 {
		return c
	}
	c.Cursor = binAt(edges, m.zoom.cursor)
	if from, to, ok := m.zoom.brushed(); ok {
		c.Brush = [2]int{from, to}
	}
	c.Bins = make([]chart.Bin, len(edges)-1)
	for i := range c.Bins {
		whole := span{edges[i], edges[i+1]}
		part := whole.clip(m.zoom.span)
		n := m.turns.within(part)
		c.Bins[i] = chart.Bin{Start: whole.from, End: whole.to, Count: n, Baseline: n, Partial: part != whole}
	}
	if m.countsFound() {
		c.Noun, c.Baselined = m.noun(), true
		for i, n := range timebin.Count(edges, m.inView()) {
			c.Bins[i].Count = n
		}
		if m.found.peek == nil {
			for i := range c.Bins {
				c.Bins[i].Count = 0
			}
		}
		c.Peaks = peakBins(m.peaks(c.Bins), heights(c.Bins))
	}
	return c
}

// countsFound reports whether bars count matches rather than all turns.
func (m *model) countsFound() bool { return m.isSearching() || m.sought().narrows }

// counts returns the counts of all bins.
func (m *model) counts() []int { return heights(m.chart().Bins) }

func heights(bins []chart.Bin) []int {
	counts := make([]int, len(bins))
	for i, b := range bins {
		counts[i] = b.Count
	}
	return counts
}

// crumb is a window on the way to the one in view.
type crumb struct {
	name   string
	window span
}

// crumbs returns the nested windows that lead to the one in view, the whole archive first. They come from the history.
func (m *model) crumbs() []crumb {
	crumbs := []crumb{{"All", m.zoom.all}}
	var path []span
	for _, p := range m.places.past() {
		for len(path) > 0 && !(path[len(path)-1].covers(p.view.span) && path[len(path)-1] != p.view.span) {
			path = path[:len(path)-1]
		}
		if p.view.span != m.zoom.all && p.view.width() > 0 {
			path = append(path, p.view.span)
		}
	}
	for _, s := range path {
		if s.covers(m.zoom.span) && s != m.zoom.span {
			crumbs = append(crumbs, crumb{histogram.Crumb(s.from, s.to), s})
		}
	}
	if !m.zoom.isAll() {
		crumbs = append(crumbs, crumb{histogram.Crumb(m.zoom.from, m.zoom.to), m.zoom.span})
	}
	return crumbs
}

// binRemark names the bins and how they were chosen: "by week", "by week, auto".
func (m *model) binRemark() string {
	if m.zoom.isEmpty() {
		return ""
	}
	unit := m.zoom.unit()
	switch {
	case m.zoom.bin.IsAuto():
		return "by " + unit.String() + ", auto"
	case m.zoom.bin != unit:
		return "by " + unit.String() + " (no room for " + m.zoom.bin.String() + "s)"
	}
	return "by " + unit.String()
}
