// Package chart draws histograms over time as lines of text, for the command line.
//
// The rules are:
//
//   - Each column shows the value of a bin, never an average of two: asciigraph's Width interpolates, and would draw a
//     bin of 10 as 5.2. A bin that is several columns wide repeats its value.
//   - Bin i of n starts at column floor(i·W/n) of W, so that no column is wasted. If there are more bins than columns,
//     a column shows its highest bin, and the caption says so.
//   - A time label starts where its bin starts. Labels that do not fit are dropped.
//   - Nothing is conveyed by color alone.
//
// The package does no I/O.
package chart

import (
	"cmp"
	"math"
	"slices"
	"strings"

	"github.com/guptarohit/asciigraph"

	"lens/retrieval"
)

// Options configures a chart. The zero value is usable.
type Options struct {
	Width  int  // total, in cells; 0: 80
	Height int  // of the plot without its axis, in rows; 0: 9
	ASCII  bool // use only ASCII characters

	// ComparedWith lists the charts next to this one. Counts, baselines and shares then have the same scale in all of
	// them, and bins the same width.
	ComparedWith []retrieval.Histogram

	Color bool
}

// maxBinWidth is the most columns that a bin gets: as many as the label of a month needs.
const maxBinWidth = 9

// minColumns is the fewest columns of a plot.
const minColumns = 8

func (o Options) withDefaults() Options {
	o.Width, o.Height = cmp.Or(o.Width, 80), max(cmp.Or(o.Height, 9), 2)
	return o
}

// layout returns the scale of counts and the axis of h.
func (o Options) layout(h retrieval.Histogram, counts []int) (scale, axis) {
	n, bins := len(h.Bins), len(h.Bins)
	for _, other := range o.ComparedWith {
		bins = max(bins, len(other.Bins))
	}
	highest := o.highest(counts, countsOf)
	columns := Columns(highest, o)
	if bins > n {
		columns = max(min(columns, bins*maxBinWidth)*n/bins, 1)
	}
	return scaleOf(highest, o.Height), newAxis(h, columns)
}

// highest returns the highest of values and of the same values of the other charts.
func (o Options) highest(values []int, of func(retrieval.Histogram) []int) int {
	highest := slices.Max(values)
	for _, other := range o.ComparedWith {
		for _, v := range of(other) {
			highest = max(highest, v)
		}
	}
	return highest
}

// Columns returns how many columns a chart has for bins if counts reach highest. Use it as AutoBins.
func Columns(highest int, opts Options) int {
	opts = opts.withDefaults()
	return max(opts.Width-gutter(scaleOf(highest, opts.Height)), minColumns)
}

// Histogram draws the counts of h as a line over the time axis. Below the axis it writes the counts if they fit, and
// draws the baseline as a sparkline if h has one. It returns "" if there are no bins, else lines that end in
// newlines.
func Histogram(h retrieval.Histogram, opts Options) string {
	if len(h.Bins) == 0 {
		return ""
	}
	opts = opts.withDefaults()
	counts, baseline := countsOf(h), baselineOf(h)
	s, a := opts.layout(h, counts)
	var out strings.Builder
	out.WriteString(drawSeries([][]int{a.spread(counts)}, s, opts))
	out.WriteString(a.draw(gutter(s), opts))
	out.WriteString(a.countRow(counts, gutter(s)))
	if slices.Max(baseline) > 0 && !slices.Equal(baseline, counts) {
		out.WriteString(row("all", sparkline(a.spread(baseline), opts.highest(baseline, baselineOf), opts), gutter(s)))
	}
	out.WriteString(a.caption(h.Bin, gutter(s)))
	return out.String()
}

// Peek draws the histogram of p and, below it, a sparkline of the shares and marks at the peaks.
func Peek(p *retrieval.Peek, opts Options) string {
	drawing := Histogram(p.Histogram, opts)
	if drawing == "" {
		return ""
	}
	opts = opts.withDefaults()
	counts, baseline := countsOf(p.Histogram), baselineOf(p.Histogram)
	s, a := opts.layout(p.Histogram, counts)
	if slices.Max(baseline) > 0 && !slices.Equal(baseline, counts) {
		shares := sharesOf(p.Histogram)
		drawing += row("share", sparkline(a.spread(shares), max(opts.highest(shares, sharesOf), 1), opts), gutter(s))
	}
	if len(p.Peaks) > 0 {
		drawing += row("peak", a.peakMarks(p.Peaks, opts), gutter(s))
	}
	return drawing
}

func countsOf(h retrieval.Histogram) []int {
	return valuesOf(h, func(b retrieval.HistogramBin) int { return b.Count })
}

func baselineOf(h retrieval.Histogram) []int {
	return valuesOf(h, func(b retrieval.HistogramBin) int { return b.Baseline })
}

// sharesOf returns the shares of h in thousandths, rounded up, so that no share above 0 becomes 0.
func sharesOf(h retrieval.Histogram) []int {
	return valuesOf(h, func(b retrieval.HistogramBin) int { return int(math.Ceil(b.Share * 1000)) })
}

func valuesOf(h retrieval.Histogram, of func(retrieval.HistogramBin) int) []int {
	values := make([]int, len(h.Bins))
	for i, b := range h.Bins {
		values[i] = of(b)
	}
	return values
}

// drawSeries draws series with one value per column with asciigraph, each with its own characters.
func drawSeries(series [][]int, s scale, opts Options) string {
	data := make([][]float64, len(series))
	for i, values := range series {
		data[i] = make([]float64, 0, len(values)+1)
		data[i] = append(data[i], float64(values[0])) // asciigraph draws the first value on the axis itself
		for _, v := range values {
			data[i] = append(data[i], float64(v))
		}
	}
	drawing := []asciigraph.Option{
		asciigraph.Height(s.rows), asciigraph.LowerBound(0), asciigraph.UpperBound(float64(s.top())),
		asciigraph.Offset(offset), asciigraph.YAxisValueFormatter(s.label), asciigraph.SeriesChars(charsets(opts)...),
	}
	if opts.Color {
		drawing = append(drawing, asciigraph.SeriesColors(asciigraph.Blue, asciigraph.Orange, asciigraph.Green))
	}
	return inASCII(asciigraph.PlotMany(data, drawing...)+"\n", opts)
}
