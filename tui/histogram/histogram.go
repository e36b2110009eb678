// Package histogram draws counts over time: bars of eighths, a rail for cursor and brush, and an axis whose labels stand on the edges of
// bins. It is pure: what is counted, and where the cursor stands, is told.
//
// The rules are:
//
//   - Bin i has the columns from floor(i·W/n) to floor((i+1)·W/n), so that none is wasted.
//   - Any count above zero can be seen: its bar is at least an eighth high.
//   - A bin that is only partly in view, at either end, is dim.
//   - Labels are dropped rather than squeezed, and the year is never left out.
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
	Partial    bool // a part of it is out of view, and not counted
}

// Chart is what there is to draw. Cursor and Brush are indices of bins.
type Chart struct {
	Unit      timebin.Bin
	Bins      []Bin
	Cursor    int
	Peaks     []int  // indices of bins that stand out, marked below the bars
	Brush     [2]int // from, to, half-open; empty for none
	Share     bool   // bars are shares of the baseline
	Baselined bool   // the baseline says something that the bars do not
	Stale     bool   // superseded, and soon replaced
	Zoned     bool   // times beside the chart are local: its own, in UTC, are called that
	Noun      string // what is counted, in the plural: "matches"
}

// gutter is the room for numbers and the tick; margin is kept free at the right.
const (
	gutter = 7
	margin = 1
)

// Left is the column that the first bar stands in.
const Left = gutter

// Rows is how many lines View adds to those of the bars: rail and axis.
const Rows = 2

// Columns returns how many columns of a pane are left for bars.
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
	return []string{th.Fit(pad+p.rail(th), width), th.Fit(th.Dim.Render(th.Fit(strings.Repeat(" ", gutter-2-len(zone))+zone, gutter)+p.axis()), width)}
}

// number returns the gutter of a row: the highest value at the top, half of it in the middle of a tall chart where that is a whole
// number, 0 at the bottom.
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

// Written returns a height as it is written beside the chart.
func (c Chart) Written(value float64) string {
	if c.Share {
		return theme.Percent(value)
	}
	return theme.Short(int(value + 0.5))
}

// Height returns what the bar of a bin measures.
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
