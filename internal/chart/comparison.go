package chart

import (
	"fmt"
	"slices"
	"strings"

	"github.com/charmbracelet/x/ansi"
)

// Series is one of several histograms over the same bins. Name and Remark contain no control characters.
type Series struct {
	Histogram
	Name   string
	Total  int    // of the counts, and what is undated
	Remark string // what the legend says of the counts, such as "8 turns"
}

// MaxLines is the most series that stay readable in one plot. Each has its own characters, so that lines are
// distinguishable without color.
const MaxLines = 3

// Comparison draws series over the same bins: up to three as lines of different characters in one plot, more as one
// sparkline each. It returns "" if there are no bins.
func Comparison(all []Series, opts Options) string {
	if len(all) == 0 || len(all[0].Bins) == 0 {
		return ""
	}
	opts = opts.withDefaults()
	highest := 0.0
	for _, s := range all {
		highest = max(highest, slices.Max(s.counts()))
	}
	if len(all) > MaxLines {
		return sparklines(all, highest, opts)
	}
	return linesAndLegend(all, int(highest), opts)
}

// linesAndLegend draws all series in one plot, with a legend below.
func linesAndLegend(all []Series, highest int, opts Options) string {
	s := RoundScale(highest, opts.Height)
	a, t := opts.axis(all[0].Histogram, opts.Columns(highest)), newText(opts, gutter(s))
	values := make([][]float64, len(all))
	for i, series := range all {
		values[i] = a.Highest(series.counts())
	}
	t.plot(values, s)
	t.axis(a)
	t.caption(a)
	for i, series := range all {
		t.pad(t.gutter)
		room := opts.Width - t.gutter - 5 - len(series.Remark)
		name := ansi.Truncate(series.Name, max(room, 8), t.glyphs.Ellipsis)
		fmt.Fprintf(t, "%s %s  %s\n", Sample(i, t.glyphs), name, series.Remark)
	}
	return t.String()
}

// Sample draws two cells of series i, for a legend.
func Sample(i int, g *Glyphs) string { return strings.Repeat(g.Lines[i%len(g.Lines)].Horizontal, 2) }

// nameWidth bounds the width of the names left of the sparklines, in cells.
const nameWidth = 24

// sparklines draws one sparkline per series.
func sparklines(all []Series, highest float64, opts Options) string {
	left := 0
	for _, s := range all {
		left = max(left, min(ansi.StringWidth(s.Name), nameWidth))
	}
	a, t := opts.axis(all[0].Histogram, max(opts.Width-left-2-6, minColumns)), newText(opts, left+2)
	for _, s := range all {
		name := ansi.Truncate(s.Name, left, t.glyphs.Ellipsis)
		t.WriteString(name)
		t.pad(left + 2 - ansi.StringWidth(name))
		fmt.Fprintf(t, "%s %4d\n", Sparkline(a.Highest(s.counts()), highest, t.glyphs), s.Total)
	}
	t.axis(a)
	t.caption(a)
	return t.String()
}
