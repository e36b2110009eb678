package chart

import "strings"

// Bars are the bars of a plot, in eighths of a cell.
type Bars struct {
	Columns     Columns
	Scale       Scale
	Bars        []Bar   // one a bin
	BaselineTop float64 // the baseline's own scale; 0 draws none
	Glyphs      *Glyphs
	Styles      BarStyles
}

// Bar is the bar of one bin.
type Bar struct {
	Value    float64
	Baseline float64
	Chosen   bool // under the cursor or the brush
	Faded    bool // drawn in the style Faded, even if it is chosen
}

// BarStyles are the styles of bars and of the baseline behind them.
type BarStyles struct{ Plain, Chosen, Faded, Baseline Style }

// ink selects the style of a cell. Neighbors of one ink share an escape sequence.
type ink int

const (
	blank ink = iota
	plain
	chosen
	faded
	baseline
	inks
)

// Draw returns the lines of the bars, from the top.
func (b Bars) Draw() []string {
	behind := Scale{b.BaselineTop, b.Scale.Rows}
	heights, marks := make([]int, len(b.Bars)), make([]int, len(b.Bars))
	for i, bar := range b.Bars {
		heights[i] = b.Scale.Eighths(bar.Value)
		if b.Scale.Rows > 1 {
			marks[i] = behind.Eighths(bar.Baseline)
		}
	}
	lines := make([]string, b.Scale.Rows)
	for row := range lines {
		lines[row] = b.line(b.Scale.Rows-1-row, heights, marks)
	}
	return lines
}

// line draws the line with so many lines below it.
func (b Bars) line(below int, heights, marks []int) string {
	s := b.Styles
	styles := [inks]Style{plain: s.Plain, chosen: s.Chosen, faded: s.Faded, baseline: s.Baseline}
	var out strings.Builder
	out.Grow(3 * b.Columns.Width)
	last := blank
	for i, bar := range b.Bars {
		from, to := b.Columns.Span(i)
		if from == to {
			continue
		}
		glyph, ink := " ", blank
		switch {
		case heights[i] > 8*below:
			glyph, ink = b.glyph(min(heights[i]-8*below, 8), bar.Chosen, below == 0), bar.ink()
		case marks[i] > 8*below && marks[i] <= 8*below+8:
			glyph, ink = b.Glyphs.BaselineMark, baseline
		}
		if ink != last {
			out.WriteString(styles[last].After + styles[ink].Before)
			last = ink
		}
		for range to - from {
			out.WriteString(glyph)
		}
	}
	out.WriteString(styles[last].After)
	return out.String()
}

func (b Bar) ink() ink {
	switch {
	case b.Faded:
		return faded
	case b.Chosen:
		return chosen
	}
	return plain
}

// glyph returns the glyph for 1 to 8 eighths. Without eighth blocks a cell is full or empty, but the bottom cell of a
// bar is always full.
func (b Bars) glyph(eighths int, chosen, bottom bool) string {
	switch {
	case b.Scale.Rows == 1:
		return b.Glyphs.Levels[eighths-1]
	case b.Glyphs.Eighths != nil:
		return b.Glyphs.Eighths[eighths-1]
	case eighths < 4 && !bottom:
		return " "
	case chosen:
		return b.Glyphs.ChosenBlock
	}
	return b.Glyphs.Block
}

// Sparkline draws values, one a column, as one line of bars.
func Sparkline(values []float64, top float64, g *Glyphs) string {
	s := Scale{Top: top, Rows: 1}
	var out strings.Builder
	for _, v := range values {
		if n := s.Eighths(v); n > 0 {
			out.WriteString(g.Levels[n-1])
		} else {
			out.WriteByte(' ')
		}
	}
	return out.String()
}
