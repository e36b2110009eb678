package timeline

import (
	"lens/internal/chart"
	"lens/retrieval/timebin"
	"lens/tui/histogram"
	"lens/tui/zoom"
)

// plot is all that the chart depends on, but for theme and time zone.
type plot struct {
	zoom   zoom.Zoom
	turns  zoom.Profile // counts of all turns
	look   Look
	in     Inputs
	ranked ranked
}

// chart counts what is found in the bins of the view. It is synchronous, so that a zoom shows at once.
func (p *plot) chart() histogram.Chart {
	c := histogram.Chart{
		Histogram: chart.Histogram{Unit: p.zoom.Unit()},
		Noun:      "turns",
		Stale:     p.in.Stale && p.in.counts(),
		Vague:     p.in.nearest(),
		Share:     p.look.Share && p.in.Searching && p.look.Form != Rows,
	}
	edges := p.zoom.Edges()
	if len(edges) < 2 {
		return c
	}
	c.Cursor = zoom.BinAt(edges, p.zoom.Cursor)
	if from, to, ok := p.zoom.Brushed(); ok {
		c.Brush = [2]int{from, to}
	}
	c.Bins = p.bins(edges)
	switch read := p.in.Read; {
	case read == nil:
	case *read < p.zoom.From:
		c.Beyond = -1
	case *read >= p.zoom.To:
		c.Beyond = 1
	default:
		c.Read = []int{zoom.BinAt(edges, *read)}
	}
	if p.in.counts() {
		c.Noun, c.Baselined = p.drawn().noun, true
		if p.drawn().occurrences {
			c.Matches = timebin.Count(edges, p.in.within(p.zoom.Span))
		}
		c.Peaks = highest(p.peaks(), c.Bins)
		c.Captions = p.captions(c)
	}
	return c
}

// bins counts turns, and what is found of them.
func (p *plot) bins(edges []int64) []chart.Bin {
	bins := make([]chart.Bin, len(edges)-1)
	for i := range bins {
		whole := zoom.Span{From: edges[i], To: edges[i+1]}
		part := whole.Clip(p.zoom.Span)
		n := p.turns.Within(part)
		bins[i] = chart.Bin{Start: whole.From, End: whole.To, Count: n, Baseline: n, Partial: part != whole}
	}
	if p.in.counts() {
		for i, n := range timebin.Count(edges, p.zoom.Of(p.drawn().times)) {
			bins[i].Count = n
		}
	}
	return bins
}

// counts returns the counts of all bins.
func (p *plot) counts() []int {
	bins := p.chart().Bins
	counts := make([]int, len(bins))
	for i, b := range bins {
		counts[i] = b.Count
	}
	return counts
}

// Bins names the bins: "by week"; "" without any.
func (p *plot) Bins() string {
	if p.zoom.IsEmpty() {
		return ""
	}
	unit := p.zoom.Unit()
	if !p.zoom.Bin.IsAuto() && p.zoom.Bin != unit {
		return "by " + unit.Words() + " (no room for bins of " + p.zoom.Bin.Words() + ")"
	}
	return "by " + unit.Words()
}

// allTime names the window of the whole archive.
const allTime = "All time"

// crumb is a window on the way to the one in view.
type crumb struct {
	name   string
	window zoom.Span
}

// crumbs returns the nested windows that lead to the one in view, the whole archive first.
func (t *Timeline) crumbs() []crumb {
	crumbs := []crumb{{allTime, t.zoom.All}}
	var path []zoom.Span
	for _, s := range t.in.Past {
		for len(path) > 0 && !(path[len(path)-1].Covers(s) && path[len(path)-1] != s) {
			path = path[:len(path)-1]
		}
		if s != t.zoom.All && s.Width() > 0 {
			path = append(path, s)
		}
	}
	for _, s := range path {
		if s.Covers(t.zoom.Span) && s != t.zoom.Span {
			crumbs = append(crumbs, crumb{histogram.Crumb(s.From, s.To, t.ui.Theme), s})
		}
	}
	if !t.zoom.IsAll() {
		crumbs = append(crumbs, crumb{t.Crumb(), t.zoom.Span})
	}
	return crumbs
}

// Crumb names the window in view exactly, "" for the whole archive.
func (t *Timeline) Crumb() string {
	if t.zoom.IsAll() {
		return ""
	}
	return histogram.Crumb(t.zoom.From, t.zoom.To, t.ui.Theme)
}
