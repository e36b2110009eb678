// Package plot draws histograms over time as lines of text, for the command line.
//
// The rules are:
//
//   - One value a column, never an average between two: asciigraph's Width interpolates, and would draw a bin of 10 as 5.2. A bin that
//     has room for several columns repeats its value in them.
//   - Bins share the columns by floor(i·W/n), so that none is wasted. More bins than columns are drawn by the highest of each column,
//     and the caption says so.
//   - Time labels stand where a bin begins, and are dropped rather than squeezed.
//   - Nothing is told by colour alone.
//
// It is pure.
package plot

import (
	"cmp"
	"math"
	"slices"
	"strings"

	"github.com/guptarohit/asciigraph"

	"lens/retrieval"
)

// Options shapes a chart. The zero value is usable.
type Options struct {
	Width  int  // cells in all; 0: 80
	Height int  // rows of the plot without its axis; 0: 9
	ASCII  bool // no character beyond ASCII

	// Beside are the charts that this one is compared with: counts, all turns and shares have one scale in all, and bins one width.
	Beside []retrieval.Histogram

	Color bool
}

// widest is how many columns a bin gets at most: as many as a month's label needs.
const widest = 9

// least is the fewest columns that a plot is squeezed into.
const least = 8

func (o Options) withDefaults() Options {
	o.Width, o.Height = cmp.Or(o.Width, 80), max(cmp.Or(o.Height, 9), 2)
	return o
}

// layout returns the scale of counts and the axis of h.
func (o Options) layout(h retrieval.Histogram, counts []int) (scale, axis) {
	n, bins := len(h.Buckets), len(h.Buckets)
	for _, other := range o.Beside {
		bins = max(bins, len(other.Buckets))
	}
	highest := o.highest(counts, countsOf)
	columns := Columns(highest, o)
	if bins > n {
		columns = max(min(columns, bins*widest)*n/bins, 1)
	}
	return scaleOf(highest, o.Height), newAxis(h, columns)
}

// highest returns the highest of values and of those that the charts beside have.
func (o Options) highest(values []int, of func(retrieval.Histogram) []int) int {
	highest := slices.Max(values)
	for _, other := range o.Beside {
		for _, v := range of(other) {
			highest = max(highest, v)
		}
	}
	return highest
}

// Columns returns how many columns of a chart are left for bins when counts up to highest are drawn: what to ask for as AutoBuckets.
func Columns(highest int, opts Options) int {
	opts = opts.withDefaults()
	return max(opts.Width-gutter(scaleOf(highest, opts.Height)), least)
}

// Histogram draws the counts of h as a line over their time axis and, below it, the counts themselves where they have room, and all
// turns of the archive as a row of marks where h knows them. It returns "" when no bucket is there to draw, else lines that end in newlines.
func Histogram(h retrieval.Histogram, opts Options) string {
	if len(h.Buckets) == 0 {
		return ""
	}
	opts = opts.withDefaults()
	counts, baseline := countsOf(h), baselineOf(h)
	s, a := opts.layout(h, counts)
	var out strings.Builder
	out.WriteString(line([][]int{a.spread(counts)}, s, opts))
	out.WriteString(a.draw(gutter(s), opts))
	out.WriteString(a.numbers(counts, gutter(s)))
	if slices.Max(baseline) > 0 && !slices.Equal(baseline, counts) {
		out.WriteString(row("all", marks(a.spread(baseline), opts.highest(baseline, baselineOf), opts), gutter(s)))
	}
	out.WriteString(a.caption(h.Bin, gutter(s)))
	return out.String()
}

// Peek draws the histogram of p, and below it the share that the matches have of all turns, as a row of marks, and where they peak.
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
		drawing += row("share", marks(a.spread(shares), max(opts.highest(shares, sharesOf), 1), opts), gutter(s))
	}
	if len(p.Peaks) > 0 {
		drawing += row("peak", a.flags(p.Peaks, opts), gutter(s))
	}
	return drawing
}

func countsOf(h retrieval.Histogram) []int {
	return valuesOf(h, func(b retrieval.Bucket) int { return b.Count })
}

func baselineOf(h retrieval.Histogram) []int {
	return valuesOf(h, func(b retrieval.Bucket) int { return b.Baseline })
}

// sharesOf returns the shares of h in thousandths; none that is above 0 becomes 0.
func sharesOf(h retrieval.Histogram) []int {
	return valuesOf(h, func(b retrieval.Bucket) int { return int(math.Ceil(b.Share * 1000)) })
}

func valuesOf(h retrieval.Histogram, of func(retrieval.Bucket) int) []int {
	values := make([]int, len(h.Buckets))
	for i, b := range h.Buckets {
		values[i] = of(b)
	}
	return values
}

// line draws series of one value a column with asciigraph, each with characters of its own.
func line(series [][]int, s scale, opts Options) string {
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
		asciigraph.Offset(offset), asciigraph.YAxisValueFormatter(s.label), asciigraph.SeriesChars(pens(opts)...),
	}
	if opts.Color {
		drawing = append(drawing, asciigraph.SeriesColors(asciigraph.Blue, asciigraph.Orange, asciigraph.Green))
	}
	return inASCII(asciigraph.PlotMany(data, drawing...)+"\n", opts)
}
