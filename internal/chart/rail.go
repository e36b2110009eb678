package chart

import "slices"

// Rail is the axis below a plot. On it are the cursor or the brush, and the match that is read.
type Rail struct {
	Columns Columns
	Cursor  int
	Read    []int  // the bin of the match that is read; none: nil
	Beyond  int    // it is before (-1) or after (1) all bins
	Brush   [2]int // bins from, to, half-open; empty for none
	Glyphs  *Glyphs
	Styles  RailStyles
}

// RailStyles are the styles of the axis and of the marks on it. Chosen is that of the cursor and the brush.
type RailStyles struct{ Axis, Chosen, Match Style }

// Draw returns the rail, as wide as the plot.
func (r Rail) Draw() string {
	row := slices.Repeat([]cell{{r.Glyphs.Base, &r.Styles.Axis}}, r.Columns.Width)
	if to := min(r.Brush[1], r.Columns.Bins); r.Brush[0] < to {
		r.brush(row, r.Brush[0], to)
	} else {
		r.mark(row, r.Cursor, r.Glyphs.CursorMark, &r.Styles.Chosen)
	}
	for _, bin := range r.Read {
		r.read(row, bin)
	}
	r.point(row)
	return joined(row)
}

// point points at the match that is read, where that is out of view.
func (r Rail) point(row []cell) {
	switch last := len(row) - 1; {
	case last < 1:
	case r.Beyond < 0:
		row[0], row[1] = cell{r.Glyphs.Before, &r.Styles.Match}, cell{r.Glyphs.MatchMark, &r.Styles.Match}
	case r.Beyond > 0:
		row[last-1], row[last] = cell{r.Glyphs.MatchMark, &r.Styles.Match}, cell{r.Glyphs.After, &r.Styles.Match}
	}
}

// mark marks the middle of a bin, if there is one.
func (r Rail) mark(row []cell, bin int, glyph string, style *Style) {
	if bin >= 0 && bin < r.Columns.Bins {
		row[r.Columns.Middle(bin)] = cell{glyph, style}
	}
}

// read marks the bin of the match that is read, beside a corner that has no cell farther out.
func (r Rail) read(row []cell, bin int) {
	if bin < 0 || bin >= r.Columns.Bins {
		return
	}
	x := r.Columns.Middle(bin)
	switch {
	case row[x].glyph == r.Glyphs.RailFrom && x+1 < len(row) && row[x+1].glyph == r.Glyphs.Rail:
		x++
	case row[x].glyph == r.Glyphs.RailTo && x > 0 && row[x-1].glyph == r.Glyphs.Rail:
		x--
	}
	row[x] = cell{r.Glyphs.MatchMark, &r.Styles.Match}
}

// brush marks the bars of bins [first, end). Where the match that is read stands on a corner, the corner moves a cell
// outward.
func (r Rail) brush(row []cell, first, end int) {
	from, _ := r.Columns.Bar(first)
	_, to := r.Columns.Bar(end - 1)
	to = max(to, from+1)
	left, right := from, to-1
	for _, bin := range r.Read {
		if bin < 0 || bin >= r.Columns.Bins {
			continue
		}
		switch at := r.Columns.Middle(bin); {
		case at == left && at == right:
			from, to = max(0, from-1), min(len(row), to+1)
		case at == left:
			from = max(0, from-1)
		case at == right:
			to = min(len(row), to+1)
		}
	}
	for x := from; x < to; x++ {
		row[x] = cell{r.Glyphs.Rail, &r.Styles.Chosen}
	}
	if to-from > 1 {
		row[from].glyph, row[to-1].glyph = r.Glyphs.RailFrom, r.Glyphs.RailTo
	}
}
