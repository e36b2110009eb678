package tui

import (
	"lens/internal/chart"
	"lens/retrieval/timebin"
	"lens/tui/histogram"
	"lens/tui/zoom"
)

// chart counts the available results in the bins of the view. It is synchronous, so that a zoom shows at once.
func (m *model) chart() histogram.Chart {
	edges := m.timeline.Zoom().Edges()
	c := histogram.Chart{
		Histogram: chart.Histogram{Unit: m.timeline.Zoom().Unit()},
		Noun:      "turns",
		Stale:     m.finder.IsStale() && m.countsFound(),
		Zoned:     m.local,
		Share:     m.share && m.isSearching(),
	}
	if len(edges) < 2 {
		return c
	}
	c.Cursor = zoom.BinAt(edges, m.timeline.Zoom().Cursor)
	if from, to, ok := m.timeline.Zoom().Brushed(); ok {
		c.Brush = [2]int{from, to}
	}
	c.Bins = make([]chart.Bin, len(edges)-1)
	for i := range c.Bins {
		whole := zoom.Span{From: edges[i], To: edges[i+1]}
		part := whole.Clip(m.timeline.Zoom().Span)
		n := m.timeline.Turns().Within(part)
		c.Bins[i] = chart.Bin{Start: whole.From, End: whole.To, Count: n, Baseline: n, Partial: part != whole}
	}
	if m.countsFound() {
		c.Noun, c.Baselined = m.noun(), true
		for i, n := range timebin.Count(edges, m.inView()) {
			c.Bins[i].Count = n
		}
		if m.found.Peek == nil {
			for i := range c.Bins {
				c.Bins[i].Count = 0
			}
		}
		c.Peaks = peakBins(m.peaks(c.Bins), heights(c.Bins))
	}
	return c
}

// countsFound reports whether bars count matches rather than all turns.
func (m *model) countsFound() bool { return m.isSearching() || m.bar.Sought().Narrows() }

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
	window zoom.Span
}

// crumbs returns the nested windows that lead to the one in view, the whole archive first. They come from the history.
func (m *model) crumbs() []crumb {
	crumbs := []crumb{{"All", m.timeline.Zoom().All}}
	var path []zoom.Span
	for _, p := range m.places.past() {
		for len(path) > 0 && !(path[len(path)-1].Covers(p.view.Span) && path[len(path)-1] != p.view.Span) {
			path = path[:len(path)-1]
		}
		if p.view.Span != m.timeline.Zoom().All && p.view.Width() > 0 {
			path = append(path, p.view.Span)
		}
	}
	for _, s := range path {
		if s.Covers(m.timeline.Zoom().Span) && s != m.timeline.Zoom().Span {
			crumbs = append(crumbs, crumb{histogram.Crumb(s.From, s.To), s})
		}
	}
	if !m.timeline.Zoom().IsAll() {
		crumbs = append(crumbs, crumb{histogram.Crumb(m.timeline.Zoom().From, m.timeline.Zoom().To), m.timeline.Zoom().Span})
	}
	return crumbs
}

// binRemark names the bins and how they were chosen: "by week", "by week, auto".
func (m *model) binRemark() string {
	if m.timeline.Zoom().IsEmpty() {
		return ""
	}
	unit := m.timeline.Zoom().Unit()
	switch {
	case m.timeline.Zoom().Bin.IsAuto():
		return "by " + unit.String() + ", auto"
	case m.timeline.Zoom().Bin != unit:
		return "by " + unit.String() + " (no room for " + m.timeline.Zoom().Bin.String() + "s)"
	}
	return "by " + unit.String()
}
