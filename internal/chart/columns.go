package chart

// Columns places bins in the columns of a plot. There may be more bins than columns.
type Columns struct {
	Bins, Width int

	pitch  int  // of equal bars, from one to the next in quarters of a cell; 0: the bins take all columns
	left   int  // columns left of the first one
	halved bool // bars begin and end in the middle of a cell, too
}

// widest is the greatest pitch of equal bars, in cells.
const widest = 8

// The pitch at which bars of a cell would be thin and those of two would touch, and the width of bars of a cell and a
// half, in quarters of a cell.
const halvedPitch, halvedBar = 10, 6

// Equal returns columns whose bars are equally wide. What is left over is between them, and at both ends. More bins
// than columns take all columns.
func Equal(bins, width int) Columns {
	c := Columns{Bins: bins, Width: width}
	if bins < 1 || bins > width {
		return c
	}
	c.pitch = min(4*width/bins, 4*widest)
	switch {
	case c.pitch < 8: // every other bar would be twice as wide
		c.pitch = 4
	case c.pitch == halvedPitch+1: // gaps would differ
		c.pitch = halvedPitch
	}
	c.left = (width - (bins*c.pitch+3)/4) / 2
	return c
}

// In returns the columns as these glyphs can draw bars in them.
func (c Columns) In(g *Glyphs) Columns {
	c.halved = c.pitch == halvedPitch && g.Halves[0] != ""
	return c
}

// Span returns the columns [from, to) of bin i: none for some bins if there are more bins than columns. For the index
// after the last bin, from is the end.
func (c Columns) Span(i int) (from, to int) {
	if c.pitch == 0 {
		return i * c.Width / c.Bins, (i + 1) * c.Width / c.Bins
	}
	return c.left + i*c.pitch/4, c.left + (i+1)*c.pitch/4
}

// Bar returns the columns [from, to) of the bar of bin i: its span, but for a gap behind equal bars. It may take half
// of one.
func (c Columns) Bar(i int) (from, to int) {
	from, to = c.Span(i)
	switch cells := c.pitch / 4; {
	case c.halved:
		to = from + 2
	case cells >= 3:
		to = from + min(cells-1, widest-2)
	case cells == 2:
		to = from + 1
	}
	return from, to
}

// half reports whether the bar of bin i takes half of a column it is in, and which: the left (0) or the right one (1).
func (c Columns) half(i, column int) (side int, ok bool) {
	from, _ := c.Span(i)
	side = i * c.pitch % 4 / 2
	return side, c.halved && (column == from) == (side == 1)
}

// Middle returns the column in the middle of the bar of bin i.
func (c Columns) Middle(i int) int {
	if c.halved {
		return c.left + (i*c.pitch+halvedBar/2)/4
	}
	from, to := c.Bar(i)
	return (from + max(from, to-1)) / 2
}

// At returns the bin at a column, the last one if bins share it; -1 for none.
func (c Columns) At(column int) int {
	if column < 0 || column >= c.Width || c.Bins == 0 {
		return -1
	}
	if c.pitch == 0 {
		return ((column+1)*c.Bins - 1) / c.Width
	}
	if i := (4*(column-c.left+1) - 1) / c.pitch; column >= c.left && i < c.Bins {
		return i
	}
	return -1
}

// Nearest returns the bin nearest to a column, -1 without any.
func (c Columns) Nearest(column int) int {
	if c.Bins == 0 {
		return -1
	}
	first, _ := c.Span(0)
	end, _ := c.Span(c.Bins)
	return c.At(max(first, min(column, end-1)))
}

// Highest returns a value for each column: that of its bin, or the highest if bins share the column.
func (c Columns) Highest(values []float64) []float64 {
	out := make([]float64, c.Width)
	for i, v := range values {
		from, to := c.Span(i)
		for x := from; x < max(to, from+1); x++ {
			out[x] = max(out[x], v)
		}
	}
	return out
}
