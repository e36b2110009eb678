package chart

import "math"

// Curve is the outline of the bars of a plot, filled with braille dots: two a column and four a line. It has the height
// of a bin in its middle, and between two of them goes straight from one to the other.
type Curve struct {
	Columns Columns
	Scale   Scale
	Bars    []Bar // one a bin; their baselines are not drawn
	Grid    bool  // lines at the top and, where a line stands for it, at half of the scale
	Glyphs  *Glyphs
	Styles  BarStyles
}

// The dots of a cell of braille, from the bottom: left, and right.
var dots = [2][4]rune{{0x40, 0x04, 0x02, 0x01}, {0x80, 0x20, 0x10, 0x08}}

// noDots is the cell of braille without dots.
const noDots = '\u2800'

// Draw returns the lines of the curve, from the top. Its edge is plain and what is below it faded, so that it reads as
// a line; where nothing was found, there is a quiet line.
func (c Curve) Draw() []string {
	heights, styles, row := c.heights(), c.Styles.inks(), make([]cell, c.Columns.Width)
	lines := make([]string, c.Scale.Rows)
	for i := range lines {
		c.fill(row, i, heights, &styles)
		lines[i] = joined(row)
	}
	return lines
}

// Covered returns how many lines the curve takes from the bottom, by column.
func (c Curve) Covered() []int {
	lines := make([]int, c.Columns.Width)
	for x, height := range c.heights() {
		lines[x] = (c.dotsOf(max(height[0], height[1])) + 3) / 4
	}
	return lines
}

// fill draws line i, counted from the top.
func (c Curve) fill(row []cell, i int, heights [][2]float64, styles *[inks]Style) {
	ground, below := cell{" ", &styles[blank]}, 4*(c.Scale.Rows-1-i)
	if c.Grid && (i == 0 || c.Scale.isMiddle(i)) {
		ground = cell{c.Glyphs.Grid, &styles[grid]}
	}
	for x := range row {
		row[x] = ground
		bin := c.Columns.At(x)
		if bin < 0 || bin >= len(c.Bars) {
			continue
		}
		glyph, full := noDots, true
		for side, height := range heights[x] {
			n := max(0, min(c.dotsOf(height)-below, 4))
			if below == 0 {
				n = max(n, 1)
			}
			for dot := range n {
				glyph |= dots[side][dot]
			}
			full = full && n == 4
		}
		if glyph != noDots {
			row[x] = cell{string(glyph), &styles[c.ink(bin, full, heights[x])]}
		}
	}
}

// ink returns the ink of a cell of a bin, which is full or at the edge.
func (c Curve) ink(bin int, full bool, heights [2]float64) ink {
	switch bar := c.Bars[bin]; {
	case heights == [2]float64{}:
		return grid
	case bar.Chosen && !bar.Faded:
		return chosen
	case full:
		return faded
	default:
		return bar.ink()
	}
}

// dotsOf returns a height in dots, at least one above zero.
func (c Curve) dotsOf(height float64) int {
	if !(height > 0) || c.Scale.Top <= 0 {
		return 0
	}
	return max(1, int(math.Round(min(1, height/c.Scale.Top)*float64(4*c.Scale.Rows))))
}

// heights returns the heights of both halves of each column.
func (c Curve) heights() [][2]float64 {
	heights := make([][2]float64, c.Columns.Width)
	if len(c.Bars) == 0 {
		return heights
	}
	values := make([]float64, len(c.Bars))
	for i, bar := range c.Bars {
		values[i] = bar.Value
	}
	if c.Columns.pitch == 0 {
		for x, v := range c.Columns.Highest(values) {
			heights[x] = [2]float64{v, v}
		}
		return heights
	}
	for x := range heights {
		for side := range heights[x] {
			heights[x][side] = c.between(float64(x)+0.25+0.5*float64(side), values)
		}
	}
	return heights
}

// between returns the height at a place, in columns.
func (c Curve) between(at float64, values []float64) float64 {
	middle := func(i int) float64 {
		from, to := c.Columns.Span(i)
		return float64(from+to) / 2
	}
	i := max(0, c.Columns.Nearest(int(at)))
	if at < middle(i) {
		i--
	}
	switch {
	case i < 0:
		return values[0]
	case i+1 >= len(values):
		return values[len(values)-1]
	}
	part := (at - middle(i)) / (middle(i+1) - middle(i))
	return values[i] + part*(values[i+1]-values[i])
}
