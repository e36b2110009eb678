package histogram

import (
	"strings"

	"github.com/guptarohit/asciigraph"

	"lens/tui/theme"
)

// Series is one line of a chart: a value for each bin.
type Series struct {
	Name   string
	Values []float64
}

// MaxSeries is the most lines in a chart. Each has its own characters, so that lines are distinguishable without color.
const MaxSeries = 3

// LineView draws rows lines of series over the bins of the chart, then the rail and the axis, each of width cells. A
// value fills the columns of its bin: asciigraph's own widening interpolates, and would draw a bin of 10 as 5.2.
func (c Chart) LineView(series []Series, width, rows int, th theme.Theme) []string {
	p := newPlot(c, Columns(width))
	p.top = topOf(series, c.Share)
	lines := make([]string, 0, rows+Rows)
	for row, drawn := range p.lines(series, rows, th) {
		lines = append(lines, th.Fit(c.number(row, rows, p.top, th)+drawn, width))
	}
	return append(lines, p.below(width, th)...)
}

// topOf returns the value at the upper end of the scale.
func topOf(series []Series, share bool) float64 {
	top := 1.0
	if share {
		top = 0.01
	}
	for _, s := range series {
		for _, v := range s.Values {
			top = max(top, v)
		}
	}
	return top
}

// lines draws the series without any axis.
func (p plot) lines(series []Series, rows int, th theme.Theme) []string {
	out := make([]string, rows)
	data := make([][]float64, 0, len(series))
	for _, s := range series {
		values := make([]float64, p.columns)
		for x, bin := range p.bins {
			if bin >= 0 && bin < len(s.Values) {
				values[x] = s.Values[bin]
			}
		}
		data = append(data, append(values[:1:1], values...)) // the first value is drawn on the axis
	}
	if len(data) == 0 {
		return out
	}
	drawn := asciigraph.PlotMany(data,
		asciigraph.Height(max(1, rows-1)),
		asciigraph.LowerBound(0),
		asciigraph.UpperBound(p.top),
		asciigraph.SeriesChars(pens(th)...),
		asciigraph.Precision(0),
	)
	for i, line := range strings.Split(drawn, "\n") {
		if i < rows {
			out[i] = th.Bar.Render(behindAxis(line))
		}
	}
	return out
}

// behindAxis removes the numbers and the axis that asciigraph draws.
func behindAxis(line string) string {
	if at := strings.IndexAny(line, "┤┼"); at >= 0 {
		return line[at+len("┤"):]
	}
	return line
}

func pens(th theme.Theme) []asciigraph.CharSet {
	if th.Glyphs.Eighths == nil {
		return []asciigraph.CharSet{
			asciigraph.CreateCharSet("*"),
			asciigraph.CreateCharSet("o"),
			asciigraph.CreateCharSet("+"),
		}
	}
	return []asciigraph.CharSet{pen("─│╭╮╯╰"), pen("━┃┏┓┛┗"), pen("═║╔╗╝╚")}
}

// pen returns a character set: horizontal, vertical, then the corners down right, down left, up left, up right.
func pen(chars string) asciigraph.CharSet {
	c := strings.Split(chars, "")
	return asciigraph.CharSet{
		Horizontal:   c[0],
		VerticalLine: c[1],
		ArcDownRight: c[2],
		ArcDownLeft:  c[3],
		ArcUpLeft:    c[4],
		ArcUpRight:   c[5],
		EndCap:       c[0],
		StartCap:     c[0],
	}
}

// Sample draws a few cells of series i, for a legend.
func Sample(i int, th theme.Theme) string {
	return th.Bar.Render(strings.Repeat(pens(th)[i%MaxSeries].Horizontal, 2))
}
