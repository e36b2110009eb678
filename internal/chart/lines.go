package chart

import (
	"math"
	"strings"
	"unicode/utf8"

	"github.com/guptarohit/asciigraph"
)

// LineRow is a line of a plot of lines.
type LineRow struct {
	Begins bool   // a series begins here, on the axis
	Cells  string // right of the axis, without trailing spaces
}

// Lines draws series, each with one value a column, in their own characters. It has asciigraph draw a value for each
// column: asciigraph's own Width interpolates, and would draw a bin of 10 as 5.2.
func Lines(series [][]float64, s Scale, g *Glyphs, colors ...asciigraph.AnsiColor) []LineRow {
	rows := make([]LineRow, s.Rows)
	data := make([][]float64, 0, len(series))
	for _, values := range series {
		if len(values) > 0 { // asciigraph panics without values
			data = append(data, onScale(values, s.Top))
		}
	}
	if len(data) == 0 || !(s.Top > 0) || math.IsInf(s.Top, 1) {
		return rows
	}
	drawing := asciigraph.PlotMany(data,
		asciigraph.Height(max(1, s.Rows-1)),
		asciigraph.LowerBound(0), asciigraph.UpperBound(s.Top),
		asciigraph.SeriesChars(g.Lines...), asciigraph.SeriesColors(colors...),
		asciigraph.Offset(1), asciigraph.YAxisValueFormatter(noNumber),
	)
	for row, line := range strings.SplitN(drawing, "\n", s.Rows+1)[:s.Rows] {
		axis, size := utf8.DecodeRuneInString(line)
		rows[row] = LineRow{Begins: axis == '┼', Cells: line[size:]}
	}
	return rows
}

// onScale returns values within [0, top], the first one twice: asciigraph draws it on the axis.
func onScale(values []float64, top float64) []float64 {
	out := append(make([]float64, 0, len(values)+1), values[0])
	out = append(out, values...)
	for i, v := range out {
		if !(v > 0) { // also not a number, which asciigraph would leave out
			v = 0
		}
		out[i] = min(v, top)
	}
	return out
}

func noNumber(float64) string { return "" }
