package chart

import "strings"

// Bars are the bars of a plot, in eighths of a cell, before an area: the baseline.
type Bars struct {
	Columns     Columns
	Scale       Scale
	Bars        []Bar   // one a bin
	BaselineTop float64 // the baseline's own scale; 0 draws none
	Grid        bool    // lines at the top and, where a line stands for it, at half of the scale
	Glyphs      *Glyphs
	Styles      BarStyles
}

// Bar is the bar of one bin.
type Bar struct {
	Value    float64
	Baseline float64
	Chosen   bool // under the cursor or the brush
	Faded    bool // drawn in the style Faded, even if it is chosen
	Partial  bool // of a bin that is partly in view
}

// BarStyles are the styles of bars, and of what is behind them. Ground is the background of a bar that ends within the
// area.
type BarStyles struct{ Plain, Chosen, Faded, Area, Ground, Grid Style }

// ink selects the style of a cell.
type ink int

const (
	blank ink = iota
	plain
	chosen
	faded
	plainOnArea // and the next two, in the order of the ones above
	chosenOnArea
	fadedOnArea
	area
	grid
	inks
)

// onArea is the distance from the ink of a bar to that of its end within the area.
const onArea = plainOnArea - plain

func (s BarStyles) inks() [inks]Style {
	over := func(bar Style) Style {
		return Style{Before: bar.Before + s.Ground.Before, After: s.Ground.After + bar.After}
	}
	return [inks]Style{
		plain: s.Plain, chosen: s.Chosen, faded: s.Faded, area: s.Area, grid: s.Grid,
		plainOnArea: over(s.Plain), chosenOnArea: over(s.Chosen), fadedOnArea: over(s.Faded),
	}
}

// Draw returns the lines of the bars, from the top.
func (b Bars) Draw() []string {
	heights, areas := make([]int, len(b.Bars)), make([]int, len(b.Bars))
	for i, bar := range b.Bars {
		heights[i], areas[i] = b.height(bar), b.behind(bar)
	}
	lines, styles, row := make([]string, b.Scale.Rows), b.Styles.inks(), make([]cell, b.Columns.Width)
	for i := range lines {
		b.fill(row, i, heights, areas, &styles)
		lines[i] = joined(row)
	}
	return lines
}

// height returns the height of a bar in eighths of a cell. One that takes half of a cell beside has halves only.
func (b Bars) height(bar Bar) int {
	eighths := b.Scale.Eighths(bar.Value)
	if b.Columns.halved && eighths > 0 {
		return max(4, (eighths+2)/4*4)
	}
	return eighths
}

// behind returns the height of the area behind a bar in eighths of a cell.
func (b Bars) behind(bar Bar) int {
	if b.Scale.Rows == 1 {
		return 0
	}
	return Scale{b.BaselineTop, b.Scale.Rows}.Eighths(bar.Baseline)
}

// Behind returns how many lines the area takes from the bottom, by column, of the highest at least half.
func (b Bars) Behind() []int {
	lines := make([]int, b.Columns.Width)
	for bin, bar := range b.Bars {
		from, to := b.Columns.Span(bin)
		for x := from; x < to; x++ {
			lines[x] = (b.behind(bar) + 4) / 8
		}
	}
	return lines
}

// Covered returns how many lines the bars take from the bottom, by column.
func (b Bars) Covered() []int {
	lines := make([]int, b.Columns.Width)
	for bin, bar := range b.Bars {
		from, to := b.Columns.Bar(bin)
		for x := from; x < to; x++ {
			lines[x] = b.lines(bar)
		}
	}
	return lines
}

// lines returns how many lines a bar takes. Without eighths of cells, less than half of one is not drawn.
func (b Bars) lines(bar Bar) int {
	height := b.height(bar)
	if b.hasEighths(bar) || height == 0 {
		return (height + 7) / 8
	}
	return max(1, (height+4)/8)
}

// hasEighths reports whether a cell of a bar can be filled in part.
func (b Bars) hasEighths(bar Bar) bool {
	return b.Glyphs.Eighths != nil && (!bar.Partial || b.Glyphs.PartBlock == "")
}

// fill draws line i, counted from the top.
func (b Bars) fill(row []cell, i int, heights, areas []int, styles *[inks]Style) {
	ground, below := cell{" ", &styles[blank]}, 8*(b.Scale.Rows-1-i)
	if b.Grid && (i == 0 || b.Scale.isMiddle(i)) {
		ground = cell{b.Glyphs.Grid, &styles[grid]}
	}
	for x := range row {
		row[x] = ground
	}
	for bin, bar := range b.Bars {
		from, to := b.Columns.Span(bin)
		high := areas[bin] - below
		if behind := b.area(high); behind != "" {
			for x := from; x < to; x++ {
				row[x] = cell{behind, &styles[area]}
			}
		}
		if over := heights[bin] - below; over > 0 {
			ink := bar.ink()
			if over < 8 && high >= 8 && b.Glyphs.Area == "" {
				ink += onArea
			}
			drawn := cell{b.glyph(bar, min(over, 8), below == 0), &styles[ink]}
			from, to = b.Columns.Bar(bin)
			for x := from; x < to && drawn.glyph != " "; x++ {
				if side, half := b.Columns.half(bin, x); !half {
					row[x] = drawn
				} else if !bar.Partial || b.Glyphs.PartBlock == "" {
					row[x] = b.halfCell(bar.ink(), side, over, high, styles)
				}
			}
		}
	}
}

// halfCell returns a cell of which a bar takes one side, before an area that is so many eighths high.
func (b Bars) halfCell(ink ink, side, bar, behind int, styles *[inks]Style) cell {
	if behind >= 4 && b.Glyphs.Area == "" {
		ink += onArea
	}
	if bar < 8 {
		return cell{b.Glyphs.LowHalves[side], &styles[ink]}
	}
	return cell{b.Glyphs.Halves[side], &styles[ink]}
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

// area returns the glyph of a cell of the area that is so many eighths high, "" for none.
func (b Bars) area(eighths int) string {
	switch {
	case eighths <= 0 || b.Glyphs.Area != "" && eighths < 4:
		return ""
	case b.Glyphs.Area != "":
		return b.Glyphs.Area
	}
	return b.Glyphs.Eighths[min(eighths, 8)-1]
}

// glyph returns the glyph for 1 to 8 eighths of a bar. Without eighth blocks a cell is full or empty, but the bottom
// cell of a bar is always full.
func (b Bars) glyph(bar Bar, eighths int, bottom bool) string {
	switch {
	case b.Scale.Rows == 1:
		return b.Glyphs.Levels[eighths-1]
	case b.hasEighths(bar):
		return b.Glyphs.Eighths[eighths-1]
	case eighths < 4 && !bottom:
		return " "
	case bar.Partial && b.Glyphs.PartBlock != "":
		return b.Glyphs.PartBlock
	case bar.Chosen:
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
