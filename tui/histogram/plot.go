package histogram

import (
	"math"
	"strings"

	"lens/tui/theme"
)

// plot is a chart laid out on columns.
type plot struct {
	Chart
	columns int
	top     float64 // value of a full bar
	marks   float64 // baseline of a mark at the top
	bins    []int   // of each column; -1 for none
}

func newPlot(c Chart, columns int) plot {
	p := plot{Chart: c, columns: columns, top: 1, bins: make([]int, columns)}
	if c.Share {
		p.top = 0.01
	}
	for i := range p.bins {
		p.bins[i] = -1
	}
	for i, b := range c.Bins {
		p.top, p.marks = max(p.top, c.Height(b)), max(p.marks, float64(b.Baseline))
		from, to := p.span(i)
		for x := from; x < to; x++ {
			p.bins[x] = i
		}
	}
	return p
}

// span returns the columns of bin i, none for some bins if there are more bins than columns.
func (p plot) span(i int) (from, to int) {
	n := len(p.Bins)
	return i * p.columns / n, (i + 1) * p.columns / n
}

// BinAt returns the bin at a column of a pane of width cells, -1 for none.
func (c Chart) BinAt(x, width int) int {
	p := newPlot(c, Columns(width))
	if x < gutter || x-gutter >= p.columns {
		return -1
	}
	return p.bins[x-gutter]
}

// kind selects the style of a cell.
type kind int

const (
	blank kind = iota
	baselined
	faded
	selected
	plain
	kinds
)

// inks returns the styles of the kinds.
func inks(th theme.Theme) [kinds]theme.Style {
	return [kinds]theme.Style{baselined: th.Baseline, faded: th.Faded, selected: th.Selected, plain: th.Bar}
}

// row draws one line of the bars, counted from the top. Neighbors of one kind share an escape sequence.
func (p plot) row(row, rows int, inks [kinds]theme.Style, g theme.Glyphs) string {
	var out strings.Builder
	last := blank
	for _, i := range p.bins {
		glyph, k := p.cell(i, row, rows, g)
		if k != last {
			out.WriteString(inks[last].Behind + inks[k].Before)
			last = k
		}
		out.WriteString(glyph)
	}
	out.WriteString(inks[last].Behind)
	return out.String()
}

// cell returns the glyph and the kind for bin i's columns at a row.
func (p plot) cell(i, row, rows int, g theme.Glyphs) (string, kind) {
	if i < 0 {
		return " ", blank
	}
	below := (rows - 1 - row) * 8
	if eighths := p.eighths(p.Height(p.Bins[i]), p.top, rows) - below; eighths > 0 {
		return bar(min(eighths, 8), rows, p.chosen(i), below == 0, g), p.kind(i)
	}
	mark := p.eighths(float64(p.Bins[i].Baseline), p.marks, rows)
	if p.Baselined && rows > 1 && !p.Share && mark > 0 && (mark-1)/8 == rows-1-row {
		return g.BaselineMark, baselined
	}
	return " ", blank
}

// eighths returns the height of a value in eighths of a row, at least one if it is above zero.
func (p plot) eighths(value, top float64, rows int) int {
	if value <= 0 || top <= 0 {
		return 0
	}
	return max(1, int(math.Round(value/top*float64(rows*8))))
}

// kind returns the style of the bar of bin i.
func (p plot) kind(i int) kind {
	switch {
	case p.Stale:
		return faded
	case p.chosen(i):
		return selected
	case p.Bins[i].Partial:
		return faded
	}
	return plain
}

// bar returns the glyph for 1 to 8 eighths. Without eighth blocks a cell is full or empty, but the bottom cell of a
// bar is always full.
func bar(eighths, rows int, chosen, bottom bool, g theme.Glyphs) string {
	switch {
	case rows == 1:
		return g.Levels[eighths-1]
	case g.Eighths != nil:
		return g.Eighths[eighths-1]
	case eighths < 4 && !bottom:
		return " "
	case chosen:
		return g.SelectedBlock
	}
	return g.Block
}

// rail marks the cursor and the peaks, or the brush.
func (p plot) rail(th theme.Theme) string {
	if len(p.Bins) == 0 || p.Cursor < 0 || p.Cursor >= len(p.Bins) {
		return ""
	}
	g := th.Glyphs
	if p.Brush[0] < p.Brush[1] {
		from, _ := p.span(p.Brush[0])
		_, to := p.span(p.Brush[1] - 1)
		rail := strings.Repeat(g.Rail, max(1, to-from))
		if to-from > 2 {
			rail = g.RailFrom + strings.Repeat(g.Rail, to-from-2) + g.RailTo
		}
		return strings.Repeat(" ", from) + th.Selected.Render(rail)
	}
	marks := map[int]string{p.middle(p.Cursor): th.Selected.Render(g.CursorMark)}
	for _, bin := range p.Peaks {
		if at := p.middle(bin); marks[at] == "" {
			marks[at] = th.Bar.Render(g.PeakMark)
		}
	}
	var rail strings.Builder
	for x, left := 0, len(marks); left > 0; x++ {
		if mark, ok := marks[x]; ok {
			rail.WriteString(mark)
			left--
		} else {
			rail.WriteByte(' ')
		}
	}
	return rail.String()
}

// middle returns the column in the middle of bin i.
func (p plot) middle(i int) int {
	from, to := p.span(i)
	return (from + max(from, to-1)) / 2
}
