// Package histogram draws counts over time: bars in eighths of a cell, a rail for cursor and brush, and an axis with
// labels at the edges of bins. It is pure: the caller passes counts and cursor.
//
// The rules are:
//
//   - Bin i of n takes the columns from floor(i·W/n) to floor((i+1)·W/n), so that no column is wasted.
//   - Any count above zero is visible: its bar is at least an eighth high.
//   - A bin that is only partly in view, at either end, is dim.
//   - Labels that do not fit are dropped, but the year is always shown.
package histogram

import (
	"strings"

	"lens/retrieval/timebin"
	"lens/tui/theme"
)

// Bin is one stretch [Start, End) of UTC seconds.
type Bin struct {
	Start, End int64
	Count      int
	Baseline   int  // all turns of the archive in it
	Partial    bool // partly out of view; only the visible part is counted
}

// Chart is the data to draw. Cursor, Peaks and Brush are indices of bins.
type Chart struct {
	Unit      timebin.Bin
	Bins      []Bin
	Cursor    int
	Peaks     []int  // indices of bins that stand out, marked below the bars
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

// View draws rows lines of bars, the rail and the axis, each of width cells.
func (c Chart) View(width, rows int, th theme.Theme) []string {
	p := newPlot(c, Columns(width))
	lines := make([]string, 0, rows+Rows)
	inks := inks(th)
	for row := range rows {
		lines = append(lines, th.Fit(c.number(row, rows, p.top, th)+p.row(row, rows, inks, th.Glyphs), width))
	}
	return append(lines, p.below(width, th)...)
}

// below draws rail and axis.
func (p plot) below(width int, th theme.Theme) []string {
	pad, zone := strings.Repeat(" ", gutter), ""
	if p.Zoned {
		zone = "UTC"
	}
	left := th.Fit(strings.Repeat(" ", gutter-2-len(zone))+zone, gutter)
	return []string{
		th.Fit(pad+p.rail(th), width),
		th.Fit(th.Dim.Render(left+p.axis()), width),
	}
}

// number returns the gutter of a row: the highest value at the top, 0 at the bottom and, in a tall chart, half of the
// highest value in the middle if it is a whole number.
func (c Chart) number(row, rows int, top float64, th theme.Theme) string {
	value := -1.0
	switch {
	case len(c.Bins) == 0:
	case row == 0:
		value = top
	case row == rows-1:
		value = 0
	case rows >= 5 && rows%2 == 1 && row == rows/2 && (c.Share || int(top)%2 == 0):
		value = top / 2
	}
	text := ""
	if value >= 0 {
		text = c.Written(value)
	}
	return th.Dim.Render(strings.Repeat(" ", max(0, gutter-2-len(text)))+text+" ") + th.Dim.Render(th.Glyphs.Tick)
}

// Written formats a height for the scale: a count or a percentage.
func (c Chart) Written(value float64) string {
	if c.Share {
		return theme.Percent(value)
	}
	return theme.Short(int(value + 0.5))
}

// Height returns the height of a bar: a count, or a share of the baseline.
func (c Chart) Height(b Bin) float64 {
	switch {
	case !c.Share:
		return float64(b.Count)
	case b.Baseline == 0:
		return 0
	}
	return min(1, float64(b.Count)/float64(b.Baseline))
}

// chosen reports whether bin i is brushed or, without a brush, under the cursor.
func (c Chart) chosen(i int) bool {
	if c.Brush[0] < c.Brush[1] {
		return i >= c.Brush[0] && i < c.Brush[1]
	}
	return i == c.Cursor
}
