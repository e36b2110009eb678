package timeline

import (
	"math"
	"strings"

	"lens/tui/histogram"
	"lens/tui/theme"
	"lens/tui/zoom"
)

// overview is a line above the chart while that is zoomed: all turns of the archive, and the window in view among them.
// Where most of it would be low, its scale is by square roots, so that a quiet year shows beside a busy one.
type overview struct {
	all, window zoom.Span
	turns       zoom.Tally // by day
	width       int
}

// The columns beside the strip, for the first and the last year.
const overviewLeft, overviewRight = histogram.Left, 6

// leastOverviewRows is the least height of a plot that gives one of its lines to the overview.
const leastOverviewRows = 6

// rows returns the lines that the chart has for its plot, and whether the overview is above it.
func (t *Timeline) rows() (rows int, overviewed bool) {
	rows = t.height
	if rows > histogram.Rows {
		rows -= histogram.Rows
	}
	o := t.overview()
	if overviewed = t.look.Form != Rows && rows >= leastOverviewRows && !t.zoom.IsAll() && o.columns() > 0; overviewed {
		rows--
	}
	return rows, overviewed
}

func (t *Timeline) overview() overview {
	return overview{t.zoom.All, t.zoom.Span, t.turns.Days, t.width}
}

func (o overview) columns() int { return o.width - overviewLeft - overviewRight }

// edge returns where a column of the strip begins.
func (o overview) edge(column int) int64 {
	return o.all.From + int64(float64(o.all.Width())*float64(column)/float64(o.columns()))
}

// column returns the column of the strip with a time.
func (o overview) column(at int64) int {
	return int(float64(at-o.all.From) / float64(o.all.Width()) * float64(o.columns()))
}

// shown returns the columns [from, to) of the strip with the window in view. Its marks stand beside them: what is left
// of the window is drawn a cell farther left, and what is right of it a cell farther right.
func (o overview) shown() (from, to int) {
	from = max(0, min(o.column(o.window.From), o.columns()-1))
	return from, max(from, min(o.column(o.window.To-1), o.columns()-1)) + 1
}

// timeAt returns the time in the middle of a column of the line, or the nearest of the archive.
func (o overview) timeAt(x int) int64 {
	column := x - overviewLeft
	switch from, to := o.shown(); {
	case column < from:
		column++
	case column >= to:
		column--
	}
	column = max(0, min(column, o.columns()-1))
	return (o.edge(column) + o.edge(column+1)) / 2
}

// view draws the line.
func (o overview) view(th theme.Theme) string {
	n, glyphs := o.columns(), histogram.Glyphs(th)
	counts, highest, sum, filled := make([]int, n), 1, 0, 0
	for i := range counts {
		counts[i] = o.turns.Between(zoom.Span{From: o.edge(i), To: o.edge(i + 1)})
		highest, sum, filled = max(highest, counts[i]), sum+counts[i], filled+min(1, counts[i])
	}
	scale := func(part float64) float64 { return part }
	if 3*sum < filled*highest {
		scale = math.Sqrt
	}
	cells := make([]string, n)
	for i, count := range counts {
		cells[i] = " "
		if level := int(math.Ceil(scale(float64(count)/float64(highest)) * float64(len(glyphs.Levels)))); level > 0 {
			cells[i] = glyphs.Levels[level-1]
		}
	}
	from, to := o.shown()
	draw := func(style theme.Style, cells []string) string { return style.Render(strings.Join(cells, "")) }
	first, last := o.ends()
	return th.Faint.Render(first) + strings.Repeat(" ", overviewLeft-1-len(first)) +
		draw(th.Rule, cells[:from]) + th.Selected.Render(glyphs.WindowFrom) +
		th.Ground.Under(draw(th.Selected, cells[from:to])) +
		th.Selected.Render(glyphs.WindowTo) + draw(th.Rule, cells[to:]) +
		strings.Repeat(" ", overviewRight-1-len(last)) + th.Faint.Render(last)
}

// ends names the ends of the archive: their years or, of one year, their months.
func (o overview) ends() (first, last string) {
	from, to := utc(o.all.From), utc(o.all.To-1)
	switch {
	case from.Year() != to.Year():
		return theme.Year(from), theme.Year(to)
	case from.Month() != to.Month():
		return from.Month().String()[:3], to.Month().String()[:3]
	}
	return theme.Year(from), ""
}

// slide moves the window so that its middle is at a column of the overview.
func (t *Timeline) slide(x int) {
	at := t.overview().timeAt(x)
	t.change(func(z zoom.Zoom) (zoom.Zoom, string) { return z.Center(at), "" }, true)
}
