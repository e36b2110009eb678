package timeline

import (
	"cmp"
	"time"

	"lens/tui/histogram"
)

// Chart returns the counts in view, with cursor and brush.
func (t *Timeline) Chart() histogram.Chart {
	c := t.chart()
	c.Zoned = cmp.Or(t.ui.Zone, time.UTC) != time.UTC
	return c
}

// Head draws the line above the chart, as wide as that.
func (t *Timeline) Head() string { return t.title().line(t.width-1) + " " }

// lines draws a curve or, for several queries and where the characters of curves are missing, lines.
func (t *Timeline) lines(c histogram.Chart, rows int) []string {
	if t.form() == Line {
		if curve, ok := c.CurveView(t.width, rows, t.ui.Theme); ok {
			return curve
		}
	}
	return c.LineView(t.series(c), t.width, rows, t.ui.Theme)
}

// View draws the chart: bars, lines or rows, the rail of the cursor, and the axis. A single line has bars alone.
// Zoomed, a high chart has the overview above, unless it is of rows.
func (t *Timeline) View() []string {
	th := t.ui.Theme
	switch {
	case t.in.Failure != "" && t.zoom.IsEmpty():
		return th.Block(t.ui.FailureLines(t.in.Failure, t.in.Hint), t.width, t.height)
	case t.opened && t.zoom.IsEmpty():
		return th.Block([]string{th.Dim.Render("  No dates")}, t.width, t.height)
	}
	c := t.Chart()
	c.Even = !t.title().explains(t.width - 1)
	rows, overviewed := t.rows()
	var lines []string
	if c.Under = overviewed; overviewed {
		lines = append(lines, t.overview().view(th))
	}
	switch t.form() {
	case Bars:
		lines = append(lines, c.View(t.width, rows, th)...)
	case Rows:
		lines = c.RowsView(t.rowsOf(c), t.look.OneScale, t.width, t.height, th)
	default:
		lines = append(lines, t.lines(c, rows)...)
	}
	return th.Block(lines, t.width, t.height)
}
