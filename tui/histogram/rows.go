package histogram

import (
	"slices"
	"strings"

	"github.com/charmbracelet/x/ansi"

	"lens/internal/chart"
	"lens/tui/theme"
)

// Row is one query of small multiples. Lines in one plot hide each other, and on one scale a rare query is a flat line,
// so that each has a row and a scale of its own.
type Row struct {
	Name   string
	Live   bool // the query of now
	Total  int
	Series int       // by which it has its color
	Values []float64 // of each bin
}

// The columns of rows: a margin, the name, the total and two cells at the left; the maximum at the right.
const (
	rowIndent, rowTotal, rowMargin = theme.Margin, 6, 2
	rowTop                         = 6
)

func rowName(width int) int { return max(6, min(width/5, 36)) }

func rowLeft(width int) int { return rowIndent + rowName(width) + rowTotal + rowMargin }

// RowColumns returns how many columns a pane has for the bins of rows.
func RowColumns(width int) int { return max(1, width-rowLeft(width)-rowTop) }

// RowLines returns how many lines so many rows take with rail and axis: two and a free one for each, that of the first
// only where they are few, or one where that is more than most.
func RowLines(rows, most int) int {
	n := 3*rows + Rows
	switch {
	case n <= most*3/4:
		return n
	case n-1 <= most:
		return n - 1
	}
	return rows + Rows
}

func (c Chart) rowColumns(width int) chart.Columns {
	return chart.Columns{Bins: len(c.Bins), Width: RowColumns(width)}
}

// RowBinAt returns the bin of rows at a column of a pane of width cells, -1 for none.
func (c Chart) RowBinAt(x, width int) int { return c.rowColumns(width).At(x - rowLeft(width)) }

// RowNearest returns the bin of rows nearest to a column of a pane of width cells, -1 without any.
func (c Chart) RowNearest(x, width int) int { return c.rowColumns(width).Nearest(x - rowLeft(width)) }

// RowsView draws rows over the bins of the chart, then the rail and the axis, in height lines of width cells: as many
// rows as fit. They have one scale, or each its own.
func (c Chart) RowsView(rows []Row, oneScale bool, width, height int, th theme.Theme) []string {
	high, gap := 2, 1
	if 3*len(rows)-1+Rows > height {
		high, gap = 1, 0
	}
	highest := 0.0
	for _, r := range rows {
		highest = slices.Max(append(r.Values, highest))
	}
	var lines []string
	headed := 3*len(rows)+Rows <= height
	for i, r := range rows[:max(0, min(len(rows), height-Rows))] {
		if gap > 0 && (i > 0 || headed) {
			lines = append(lines, strings.Repeat(" ", width))
		}
		top := slices.Max(append(r.Values, 0))
		if oneScale {
			top = highest
		}
		lines = append(lines, c.row(r, chart.Scale{Top: top, Rows: high}, width, th)...)
	}
	return append(lines, c.rowRail(width, th)...)
}

// row draws one row: the maximum at the end of its first line, the name in its last.
func (c Chart) row(r Row, s chart.Scale, width int, th theme.Theme) []string {
	ink := th.Lines[r.Series%len(th.Lines)]
	name, total, sign := ink, th.Dim.Render(padLeft(theme.Short(r.Total), rowTotal)), " "
	if r.Live {
		name, sign = ink.Bold(), ink.Render(th.Glyphs.Chosen)
	}
	columns, lines := c.rowColumns(width), make([]string, s.Rows)
	for i := range lines {
		left, right := strings.Repeat(" ", rowLeft(width)), ""
		if i == len(lines)-1 {
			said := th.Fit(ansi.Truncate(r.Name, rowName(width), th.Glyphs.Ellipsis), rowName(width))
			left = sign + strings.Repeat(" ", rowIndent-1) + name.Render(said) + total + strings.Repeat(" ", rowMargin)
		}
		if i == 0 && s.Top > 0 {
			right = th.Dim.Render(padLeft(c.Written(s.Top), rowTop-1))
		}
		lines[i] = th.Fit(left+c.rowCells(r, s, i, columns, ink, th)+right, width)
	}
	return lines
}

func padLeft(text string, width int) string {
	return strings.Repeat(" ", max(0, width-theme.Width(text))) + text
}

// rowCells draws line i of a row, on a rule. What is chosen has one color in all rows: the rail is below the last.
func (c Chart) rowCells(
	r Row, s chart.Scale, i int, columns chart.Columns, ink theme.Style, th theme.Theme,
) string {
	var line strings.Builder
	glyphs, below := Glyphs(th), 8*(s.Rows-1-i)
	rule := "_" // without color, it is not the lowest bar
	if th.Name != theme.Mono && th.Name != theme.ASCII {
		rule = glyphs.Levels[0]
	}
	for bin, v := range r.Values {
		from, to := columns.Span(bin)
		ink, ground := ink, th.Rule
		if c.chosen(bin) {
			ink, ground = th.Selected, th.Selected
		}
		switch eighths := s.Eighths(v) - below; {
		case eighths > 0 && s.Rows > 1 && glyphs.Eighths == nil:
			line.WriteString(ink.Render(strings.Repeat(glyphs.Block, to-from)))
		case eighths > 0:
			line.WriteString(ink.Render(strings.Repeat(glyphs.Levels[min(eighths, 8)-1], to-from)))
		case below == 0:
			line.WriteString(ground.Render(strings.Repeat(rule, to-from)))
		default:
			line.WriteString(strings.Repeat(" ", to-from))
		}
	}
	return line.String()
}

// rowRail draws the rail and the axis below rows.
func (c Chart) rowRail(width int, th theme.Theme) []string {
	columns, left := c.rowColumns(width), strings.Repeat(" ", rowLeft(width))
	glyphs := *Glyphs(th)
	glyphs.Base = " "
	rail := c.rail(columns, th)
	rail.Glyphs = &glyphs
	axis := chart.Axis{Columns: columns, Unit: c.Unit, Bins: c.Bins}
	return []string{th.Fit(left+rail.Draw(), width), th.Fit(left+labels(axis.Names(), th), width)}
}
