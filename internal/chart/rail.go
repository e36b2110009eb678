package chart

import "strings"

// Rail is the line below a plot that marks the cursor and the peaks, or the brush.
type Rail struct {
	Columns Columns
	Cursor  int
	Peaks   []int  // bins
	Brush   [2]int // bins from, to, half-open; empty for none
	Glyphs  *Glyphs
	Chosen  Style // of the cursor and the brush
	Peak    Style
}

// Draw returns the rail up to its last mark; "" if the cursor is on no bin.
func (r Rail) Draw() string {
	if r.Cursor < 0 || r.Cursor >= r.Columns.Bins {
		return ""
	}
	if to := min(r.Brush[1], r.Columns.Bins); r.Brush[0] < to {
		return r.brush(r.Brush[0], to)
	}
	cursor := r.Columns.Middle(r.Cursor)
	marks := make([]bool, cursor+1, r.Columns.Width+1)
	for _, bin := range r.Peaks {
		if bin >= 0 && bin < r.Columns.Bins {
			at := r.Columns.Middle(bin)
			marks = marks[:max(len(marks), at+1)]
			marks[at] = true
		}
	}
	var out strings.Builder
	for x, marked := range marks {
		switch {
		case x == cursor:
			out.WriteString(r.Chosen.Render(r.Glyphs.CursorMark))
		case marked:
			out.WriteString(r.Peak.Render(r.Glyphs.PeakMark))
		default:
			out.WriteByte(' ')
		}
	}
	return out.String()
}

// brush marks the bins [first, end).
func (r Rail) brush(first, end int) string {
	from, _ := r.Columns.Span(first)
	_, to := r.Columns.Span(end - 1)
	g := r.Glyphs
	rail := strings.Repeat(g.Rail, max(1, to-from))
	if to-from > 2 {
		rail = g.RailFrom + strings.Repeat(g.Rail, to-from-2) + g.RailTo
	}
	return strings.Repeat(" ", from) + r.Chosen.Render(rail)
}
