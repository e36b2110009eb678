package chart

import (
	"fmt"
	"slices"
	"strings"

	"github.com/charmbracelet/x/ansi"

	"lens/retrieval"
)

// maxLines is the most series that stay readable in one plot.
const maxLines = 3

// Comparison draws the histograms of several queries over the same bins: up to three as lines of different characters
// in one plot, more as one sparkline each. names label the queries in the legend, and contain no control characters. It
// returns "" if there are no bins.
func Comparison(c *retrieval.Comparison, names []string, opts Options) string {
	opts = opts.withDefaults()
	if len(c.Peeks) == 0 || len(c.Peeks[0].Histogram.Bins) == 0 {
		return ""
	}
	all := make([][]int, len(c.Peeks))
	highest := 0
	for i, p := range c.Peeks {
		all[i] = countsOf(p.Histogram)
		highest = max(highest, slices.Max(all[i]))
	}
	if len(all) > maxLines {
		return drawRows(c, all, highest, names, opts)
	}
	return drawLines(c, all, highest, names, opts)
}

// drawLines draws all series in one plot, with a legend below.
func drawLines(c *retrieval.Comparison, all [][]int, highest int, names []string, opts Options) string {
	s := scaleOf(highest, opts.Height)
	a := newAxis(c.Peeks[0].Histogram, Columns(highest, opts))
	spread := make([][]int, len(all))
	for i, values := range all {
		spread[i] = a.spread(values)
	}
	out := drawSeries(spread, s, opts) + a.draw(gutter(s), opts) + a.caption(c.Bin, gutter(s))
	for i, p := range c.Peeks {
		sample := inASCII(strings.Repeat(charsets(opts)[i].Horizontal, 2), opts)
		out += strings.Repeat(" ", gutter(s)) + sample + " " + legend(names[i], p, opts.Width-gutter(s)-3, opts) + "\n"
	}
	return out
}

// nameWidth bounds the width of the names left of the sparklines, in cells.
const nameWidth = 24

// drawRows draws one sparkline per series.
func drawRows(c *retrieval.Comparison, all [][]int, highest int, names []string, opts Options) string {
	left := 0
	for _, name := range names {
		left = max(left, min(ansi.StringWidth(name), nameWidth))
	}
	a := newAxis(c.Peeks[0].Histogram, max(opts.Width-left-2-6, minColumns))
	var out strings.Builder
	for i, p := range c.Peeks {
		name := ansi.Truncate(names[i], left, ellipsis(opts))
		drawing := sparkline(a.spread(all[i]), max(highest, 1), opts)
		padding := strings.Repeat(" ", left-ansi.StringWidth(name))
		fmt.Fprintf(&out, "%s%s  %s %4d\n", name, padding, drawing, p.Histogram.Total)
	}
	out.WriteString(a.draw(left+2, opts) + a.caption(c.Bin, left+2))
	return out.String()
}

// legend describes one series: its name and how many turns it shows.
func legend(name string, p *retrieval.Peek, width int, opts Options) string {
	count := fmt.Sprintf("  %d %s", p.Histogram.Total, plural(p.Histogram.Total, "turn", "turns"))
	if p.Coverage.Truncated {
		count = fmt.Sprintf("  the best %d of %d matches", p.Histogram.Total, p.Coverage.Matching)
	}
	return ansi.Truncate(name, max(width-len(count), 8), ellipsis(opts)) + count
}

func ellipsis(opts Options) string {
	if opts.ASCII {
		return "~"
	}
	return "…"
}

func plural(n int, one, many string) string {
	if n == 1 {
		return one
	}
	return many
}
