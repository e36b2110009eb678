// Package histogram is the explorer's chart: bars or lines over time, a rail for cursor and brush, an axis with labels,
// and the words for what they show. It is pure: the caller passes counts and cursor. Package chart draws the parts.
//
// The rules are:
//
//   - A bin that is only partly in view, at either end, is dim.
//   - The year is always shown.
package histogram

import (
	"strings"

	"lens/internal/chart"
	"lens/tui/theme"
)

// Chart is the data to draw. Cursor and Brush are indices of bins; the peaks are marked below the bars.
type Chart struct {
	chart.Histogram
	Cursor    int
	Brush     [2]int // from, to, half-open; empty for none
	Share     bool   // bars are shares of the baseline
	Baselined bool   // the baseline is drawn: it differs from the bars
	Stale     bool   // superseded and about to be replaced
	Zoned     bool   // other times on the screen are local, so the chart labels its own as UTC
	Noun      string // what is counted, in the plural: "matches"
}

// gutter is the width of the numbers and the tick; margin stays free at the right.
const (
	gutter = 7
	margin = 1
)

// Left is the column of the first bar.
const Left = gutter

// Rows is how many lines View adds below the bars: rail and axis.
const Rows = 2

// Columns returns how many columns a pane has for bars.
func Columns(width int) int { return max(1, width-gutter-margin) }

func (c Chart) columns(width int) chart.Columns {
	return chart.Columns{Bins: len(c.Bins), Width: Columns(width)}
}

// BinAt returns the bin at a column of a pane of width cells, -1 for none.
func (c Chart) BinAt(x, width int) int { return c.columns(width).At(x - gutter) }

// View draws rows lines of bars, the rail and the axis, each of width cells.
func (c Chart) View(width, rows int, th theme.Theme) []string {
	bars := chart.Bars{
		Columns: c.columns(width),
		Scale:   chart.Scale{Top: c.least(), Rows: rows},
		Bars:    make([]chart.Bar, len(c.Bins)),
		Glyphs:  Glyphs(th),
		Styles: chart.BarStyles{
			Plain: style(th.Bar), Chosen: style(th.Selected), Faded: style(th.Faded), Baseline: style(th.Baseline),
		},
	}
	for i, b := range c.Bins {
		chosen := c.chosen(i)
		bar := chart.Bar{Value: c.Height(b), Chosen: chosen, Faded: c.Stale || b.Partial && !chosen}
		if c.Baselined && !c.Share {
			bar.Baseline = float64(b.Baseline)
		}
		bars.Bars[i] = bar
		bars.Scale.Top, bars.BaselineTop = max(bars.Scale.Top, bar.Value), max(bars.BaselineTop, bar.Baseline)
	}
	return c.frame(bars.Draw(), bars.Scale, width, th)
}

// Series is one line of a chart: a value for each bin.
type Series struct {
	Name   string
	Values []float64
}

// LineView draws rows lines of series over the bins of the chart, then the rail and the axis, each of width cells.
func (c Chart) LineView(series []Series, width, rows int, th theme.Theme) []string {
	columns, scale := c.columns(width), chart.Scale{Top: c.least(), Rows: rows}
	drawn := make([][]float64, len(series))
	for i, s := range series {
		drawn[i] = make([]float64, columns.Width)
		for x := range drawn[i] {
			if bin := columns.At(x); bin >= 0 && bin < len(s.Values) {
				drawn[i][x] = s.Values[bin]
			}
		}
		for _, v := range s.Values {
			scale.Top = max(scale.Top, v)
		}
	}
	plot := make([]string, rows)
	for i, row := range chart.Lines(drawn, scale, Glyphs(th)) {
		plot[i] = colored(row.Cells, th)
	}
	return c.frame(plot, scale, width, th)
}

// Sample draws a few cells of series i, for a legend.
func Sample(i int, th theme.Theme) string {
	return th.Lines[i%len(th.Lines)].Render(chart.Sample(i, Glyphs(th)))
}

// colored gives each series in a row of a plot its color. Its characters tell which one it is.
func colored(row string, th theme.Theme) string {
	var all strings.Builder
	glyphs, from, line := Glyphs(th), 0, -1
	flush := func(to int) {
		if line < 0 {
			all.WriteString(row[from:to])
		} else {
			all.WriteString(th.Lines[line].Render(row[from:to]))
		}
		from = to
	}
	for at, char := range row {
		if next := glyphs.LineOf(char); next != line {
			flush(at)
			line = next
		}
	}
	flush(len(row))
	return all.String()
}

// frame adds the numbers left of a plot, and the rail and the axis below it.
func (c Chart) frame(plot []string, s chart.Scale, width int, th theme.Theme) []string {
	lines := make([]string, 0, len(plot)+Rows)
	for row, drawn := range plot {
		lines = append(lines, th.Fit(c.number(row, s, th)+drawn, width))
	}
	columns := c.columns(width)
	rail := chart.Rail{
		Columns: columns, Cursor: c.Cursor, Peaks: c.Peaks, Brush: c.Brush,
		Glyphs: Glyphs(th), Chosen: style(th.Selected), Peak: style(th.Bar),
	}
	zone := ""
	if c.Zoned {
		zone = "UTC"
	}
	left := th.Fit(strings.Repeat(" ", gutter-2-len(zone))+zone, gutter)
	axis := chart.Axis{Columns: columns, Unit: c.Unit, Bins: c.Bins}
	return append(lines,
		th.Fit(strings.Repeat(" ", gutter)+rail.Draw(), width),
		th.Fit(th.Dim.Render(left+chart.Labels(axis.Names())), width),
	)
}

// number returns the gutter of a row: the highest value at the top, 0 at the bottom and, in a tall chart, half of the
// highest value in the middle if it is a whole number.
func (c Chart) number(row int, s chart.Scale, th theme.Theme) string {
	isMiddle := s.Rows >= 5 && s.Rows%2 == 1 && row == s.Rows/2 && (c.Share || int(s.Top)%2 == 0)
	text := ""
	if len(c.Bins) > 0 && (row == 0 || row == s.Rows-1 || isMiddle) {
		text = c.Written(s.Value(row))
	}
	return th.Dim.Render(strings.Repeat(" ", max(0, gutter-2-len(text)))+text+" ") + th.Dim.Render(Glyphs(th).Tick)
}

// Written formats a height for the scale: a count or a percentage.
func (c Chart) Written(value float64) string {
	if c.Share {
		return theme.Percent(value)
	}
	return theme.Short(int(value + 0.5))
}

// Height returns the height of a bar: a count, or a share of the baseline.
func (c Chart) Height(b chart.Bin) float64 {
	if c.Share {
		return b.Share()
	}
	return float64(b.Count)
}

// least is the least top of the scale.
func (c Chart) least() float64 {
	if c.Share {
		return 0.01
	}
	return 1
}

// chosen reports whether bin i is brushed or, without a brush, under the cursor.
func (c Chart) chosen(i int) bool {
	if c.Brush[0] < c.Brush[1] {
		return i >= c.Brush[0] && i < c.Brush[1]
	}
	return i == c.Cursor
}

// Glyphs returns the characters that charts of a theme are drawn with.
func Glyphs(th theme.Theme) *chart.Glyphs {
	if th.Name == theme.ASCII {
		return &chart.ASCII
	}
	return &chart.Unicode
}

func style(s theme.Style) chart.Style { return chart.Style{Before: s.Before, After: s.Behind} }
