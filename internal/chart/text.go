package chart

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/guptarohit/asciigraph"
)

// Options configures a chart of text. The zero value is usable.
type Options struct {
	Width  int  // total, in cells; 0: 80
	Height int  // of the plot without its axis, in rows; 0: 9
	ASCII  bool // use only ASCII characters
	Color  bool
	Shares bool // draw the shares of the baseline, too

	// ComparedWith lists the charts next to this one. Counts, baselines and shares then have the same scale in all of
	// them, and bins the same width.
	ComparedWith []Histogram
}

// maxBinWidth is the most columns that a bin gets: as many as the label of a month needs.
const maxBinWidth = 9

// minColumns is the fewest columns of a plot.
const minColumns = 8

func (o Options) withDefaults() Options {
	o.Width, o.Height = cmp.Or(o.Width, 80), cmp.Or(o.Height, 9)
	return o
}

// Columns returns how many columns a chart has for bins if counts reach highest. Use it as AutoBins.
func (o Options) Columns(highest int) int {
	o = o.withDefaults()
	return max(o.Width-gutter(RoundScale(highest, o.Height)), minColumns)
}

// highest returns the highest of the values of h and of the charts next to it.
func (o Options) highest(h Histogram, values func(Histogram) []float64) float64 {
	highest := slices.Max(values(h))
	for _, other := range o.ComparedWith {
		for _, v := range values(other) {
			highest = max(highest, v)
		}
	}
	return highest
}

// axis returns the axis of h. Bins are as wide as those of the charts next to it.
func (o Options) axis(h Histogram, columns int) Axis {
	n, most := len(h.Bins), len(h.Bins)
	for _, other := range o.ComparedWith {
		most = max(most, len(other.Bins))
	}
	columns = max(min(columns, most*maxBinWidth)*n/most, 1)
	return Axis{Columns: Columns{Bins: n, Width: columns}, Unit: h.Unit, Bins: h.Bins}
}

// Text draws the counts of h as a line over the time axis. Below the axis it writes the counts if they fit, draws the
// baseline and the shares as sparklines if the baseline differs from the counts, and marks the peaks. It returns "" if
// there are no bins, else lines that end in newlines.
func Text(h Histogram, opts Options) string {
	if len(h.Bins) == 0 {
		return ""
	}
	opts = opts.withDefaults()
	highest := int(opts.highest(h, Histogram.counts))
	s := RoundScale(highest, opts.Height)
	a, t := opts.axis(h, opts.Columns(highest)), newText(opts, gutter(s))
	t.plot([][]float64{a.Highest(h.counts())}, s)
	t.axis(a)
	t.row("n", a.countRow())
	baselines := h.baselines()
	baselined := slices.Max(baselines) > 0 && !slices.Equal(baselines, h.counts())
	sparkline := func(name string, values func(Histogram) []float64) {
		t.row(name, Sparkline(a.Highest(values(h)), max(opts.highest(h, values), 1), t.glyphs))
	}
	if baselined {
		sparkline("all", Histogram.baselines)
	}
	t.caption(a)
	if baselined && opts.Shares {
		sparkline("share", Histogram.shares)
	}
	t.row("peak", a.peakMarks(h.Peaks, t.glyphs))
	return t.String()
}

// text collects the lines of a chart: each has a gutter, and a drawing or a sentence right of it.
type text struct {
	strings.Builder
	gutter int
	glyphs *Glyphs
	color  bool
}

func newText(opts Options, gutter int) *text {
	g := Unicode
	if opts.ASCII {
		g = ASCII
		g.Levels = Ramp
		g.Lines = []asciigraph.CharSet{face("-|..''"), face("******"), face("oooooo")}
	}
	return &text{gutter: gutter, glyphs: &g, color: opts.Color}
}

// number writes a value in three cells, the minimum for the names of rows.
func number(value float64) string { return fmt.Sprintf("%3.0f", value) }

// gutter returns how many cells are left of the plot: a space, the widest number, a space and the axis.
func gutter(s Scale) int { return len(number(s.Top)) + 3 }

// plot draws series, each with one value a column.
func (t *text) plot(series [][]float64, s Scale) {
	var colors []asciigraph.AnsiColor
	if t.color {
		colors = []asciigraph.AnsiColor{asciigraph.Blue, asciigraph.Orange, asciigraph.Green}
	}
	for i, row := range Lines(series, s, t.glyphs, colors...) {
		tick := t.glyphs.Tick
		if row.Begins {
			tick = t.glyphs.Begin
		}
		fmt.Fprintf(t, "%*s %s%s\n", t.gutter-2, number(s.Value(i)), tick, row.Cells)
	}
}

// axis draws the axis line with its ticks, and the labels below it.
func (t *text) axis(a Axis) {
	ticks, at := a.Dates(), 0
	t.pad(t.gutter - 1)
	t.WriteString(t.glyphs.Corner)
	for _, tick := range ticks {
		t.WriteString(strings.Repeat(t.glyphs.Base, tick.Column-at) + t.glyphs.TimeTick)
		at = tick.Column + 1
	}
	t.WriteString(strings.Repeat(t.glyphs.Base, a.Width-at) + "\n")
	t.pad(t.gutter)
	t.WriteString(Labels(ticks) + "\n")
}

// row writes a name into the gutter left of a drawing, if there is one.
func (t *text) row(name, drawing string) {
	if drawing != "" {
		fmt.Fprintf(t, "%*s %s\n", t.gutter-1, name, strings.TrimRight(drawing, " "))
	}
}

// caption explains the columns if they hold more than one bin.
func (t *text) caption(a Axis) {
	if a.Columns.Bins <= a.Width {
		return
	}
	most, what := (a.Columns.Bins+a.Width-1)/a.Width, a.Unit.String()+" bins"
	if a.Unit.N > 1 {
		what = "bins of " + a.Unit.String()
	}
	t.pad(t.gutter)
	fmt.Fprintf(t, "each column shows the highest of up to %d %s\n", most, what)
}

func (t *text) pad(cells int) { t.WriteString(strings.Repeat(" ", cells)) }

// countRow returns the counts, each below its bin, or "" if one of them does not fit.
func (a Axis) countRow() string {
	ticks := make([]Tick, len(a.Bins))
	for i, b := range a.Bins {
		from, to := a.Span(i)
		ticks[i] = Tick{Column: from, Label: fmt.Sprint(b.Count)}
		if ticks[i].end()+2 > to {
			return ""
		}
	}
	return Labels(ticks)
}

// peakMarks marks the columns of the bins that stand out: text has no cursor.
func (a Axis) peakMarks(peaks []int, g *Glyphs) string {
	if len(peaks) == 0 {
		return ""
	}
	marks := slices.Repeat([]string{" "}, a.Width)
	for _, i := range peaks {
		from, to := a.Span(i)
		for x := from; x < max(to, from+1); x++ {
			marks[x] = g.CursorMark
		}
	}
	return strings.Join(marks, "")
}
