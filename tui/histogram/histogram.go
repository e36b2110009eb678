// Package histogram is the explorer's chart: bars or lines over time, a rail for cursor and brush, an axis with labels,
// and the words for what they show. It is pure: the caller passes counts and cursor. Package chart draws the parts.
//
// The rules are:
//
//   - A bin that is only partly in view, at either end, is dim where a legend says what that means.
//   - The year is always shown.
package histogram

import (
	"cmp"
	"math"
	"slices"
	"strconv"
	"strings"

	"lens/internal/chart"
	"lens/tui/theme"
)

// Chart is the data to draw. Cursor and Brush are indices of bins; the peaks are marked below the bars.
type Chart struct {
	chart.Histogram
	Cursor    int
	Read      []int     // the bin of the match that is read; none: nil
	Beyond    int       // where the match that is read is out of view: before it -1, after it 1
	Brush     [2]int    // from, to, half-open; empty for none
	Captions  []Caption // of bars, the most important first
	Under     bool      // bars of something else are drawn right above
	Share     bool      // bars are shares of the baseline
	Baselined bool      // the baseline is drawn: it differs from the bars
	Stale     bool      // superseded and about to be replaced
	Even      bool      // bins that are partly in view look like others: nothing says what a tone of theirs means
	Vague     bool      // what is counted is only near the query, so bars are dim
	Zoned     bool      // other times on the screen are local, so the chart labels its own as UTC
	Noun      string    // what is counted, in the plural: "matches"
	Matches   []int     // of each bin, which a brush counts, where bars count something else
}

// gutter is the width of the numbers and the tick; margin stays free at the right.
const (
	gutter = 7
	margin = 1
)

// Left is the column of the first bar.
const Left = gutter

// Rows is how many lines View adds below the bars: rail and axis.
const Rows = 2

// headed is the least height of a plot that leaves a line free above its scale: for captions, and so that no bar stands
// right below words or other bars.
const headed = 6

// areaHeight is how much of the height the highest part of the baseline takes.
const areaHeight = 0.7

// Columns returns how many columns a pane has for bars.
func Columns(width int) int { return max(1, width-gutter-margin) }

func (c Chart) columns(width int) chart.Columns { return chart.Equal(len(c.Bins), Columns(width)) }

// BinAt returns the bin at a column of a pane of width cells, -1 for none.
func (c Chart) BinAt(x, width int) int { return c.columns(width).At(x - gutter) }

// Nearest returns the bin nearest to a column of a pane of width cells, -1 without any.
func (c Chart) Nearest(x, width int) int { return c.columns(width).Nearest(x - gutter) }

// View draws rows lines of bars, the rail and the axis, each of width cells.
func (c Chart) View(width, rows int, th theme.Theme) []string {
	bars := c.bars(width, rows, th)
	lines := c.frame(bars.Draw(), bars.Columns, bars.Scale, width, rows, th)
	c.caption(lines[:rows], bars.Columns, bars.Covered(), bars.Behind(), th)
	return lines
}

// CurveView draws the same as a filled curve without an area behind it, as characters of a theme can: false if they
// cannot.
func (c Chart) CurveView(width, rows int, th theme.Theme) ([]string, bool) {
	if th.Name == theme.ASCII {
		return nil, false
	}
	b := c.bars(width, rows, th)
	curve := chart.Curve{
		Columns: c.columns(width), Scale: b.Scale, Bars: b.Bars, Grid: b.Grid, Glyphs: b.Glyphs, Styles: BarStyles(th),
	}
	lines := c.frame(curve.Draw(), curve.Columns, b.Scale, width, rows, th)
	c.caption(lines[:rows], curve.Columns, curve.Covered(), make([]int, curve.Columns.Width), th)
	return lines, true
}

// bars returns what is drawn of the bins.
func (c Chart) bars(width, rows int, th theme.Theme) chart.Bars {
	bars := chart.Bars{
		Columns: c.columns(width),
		Bars:    make([]chart.Bar, len(c.Bins)),
		Grid:    len(c.Bins) > 0 && (rows >= headed || c.Under && rows == headed-1),
		Glyphs:  Glyphs(th),
		Styles:  BarStyles(th),
	}
	bars.Styles.Plain = style(plainBar(th))
	highest := 0.0
	for i, b := range c.Bins {
		chosen := c.chosen(i)
		part := b.Partial && !c.Even
		faded := c.Stale || (part || c.Vague) && !chosen
		bar := chart.Bar{Value: c.Height(b), Chosen: chosen, Faded: faded, Partial: part}
		if c.Baselined && !c.Share {
			bar.Baseline = float64(b.Baseline)
		}
		bars.Bars[i] = bar
		highest, bars.BaselineTop = max(highest, bar.Value), max(bars.BaselineTop, bar.Baseline/areaHeight)
	}
	if bars.Scale = c.scale(highest, rows); rows > 1 {
		bars.Columns = bars.Columns.In(bars.Glyphs)
	}
	return bars
}

// scale returns the value axis of a plot of so many lines.
func (c Chart) scale(highest float64, rows int) chart.Scale {
	switch {
	case rows == 1:
		return chart.Scale{Top: max(highest, c.least()), Rows: rows}
	case c.Under && (rows < headed || rows%2 == 1 && len(c.Captions) == 0): // half a cell stays free below the others
		highest /= 1 - 0.5/float64(rows)
	case rows >= headed:
		if len(c.Captions) > 0 || rows%2 == 0 {
			rows--
		}
		if rows%2 == 0 && rows > headed { // else no line stands for half of it; where they are few, all are for bars
			rows--
		}
	}
	if c.Share {
		return chart.Scale{Top: min(1, chart.EvenTop(highest*100)/100), Rows: rows}
	}
	return chart.Scale{Top: chart.EvenTop(highest), Rows: rows}
}

// Series is one line of a chart: a value for each bin.
type Series struct {
	Name   string
	Number int // by which it has its characters and its color
	Values []float64
}

// LineView draws rows lines of series over the bins of the chart, the first on top of the others, then the rail and the
// axis, each of width cells.
func (c Chart) LineView(series []Series, width, rows int, th theme.Theme) []string {
	columns, highest := c.columns(width), 0.0
	end := 0 // of the bins: beyond it no time is in view
	if n := len(c.Bins); n > 0 {
		_, end = columns.Span(n - 1)
	}
	drawn := make([][]float64, len(series))
	for i, s := range series {
		drawn[i] = make([]float64, end)
		for x := range drawn[i] {
			if bin := columns.Nearest(x); bin >= 0 && bin < len(s.Values) {
				drawn[i][x] = s.Values[bin]
			}
		}
		for _, v := range s.Values {
			highest = max(highest, v)
		}
	}
	scale := c.scale(highest, rows)
	plot := make([]string, scale.Rows)
	slices.Reverse(drawn) // the first is the query of now, which no other hides
	glyphs, all := *Glyphs(th), Glyphs(th).Lines
	glyphs.Lines = nil
	inks := make([]theme.Style, len(all)) // of the characters
	for _, s := range slices.Backward(series) {
		glyphs.Lines = append(glyphs.Lines, all[s.Number%len(all)])
		inks[s.Number%len(all)] = th.Lines[s.Number%len(th.Lines)]
	}
	for i, row := range chart.Lines(drawn, scale, &glyphs) {
		plot[i] = colored(row.Cells, Glyphs(th), inks)
	}
	return c.frame(plot, columns, scale, width, rows, th)
}

// plainBar is the style of bars that are not chosen. Without color they are gray, so that the chosen ones are brighter.
func plainBar(th theme.Theme) theme.Style {
	if th.Name == theme.Mono {
		return th.Dim
	}
	return th.Bar
}

// Samples draws a few cells of the bars, of the area behind them and of bars that are partly in view, for a legend.
func Samples(th theme.Theme) (bar, area, part string) {
	g := Glyphs(th)
	full, behind := g.Block, g.Area
	if g.Eighths != nil {
		full, behind = g.Eighths[len(g.Eighths)-1], cmp.Or(g.Area, g.Eighths[5])
	}
	draw := func(s theme.Style, glyph string) string { return s.Render(strings.Repeat(glyph, 2)) }
	return draw(plainBar(th), full), draw(th.Area, behind), draw(th.Faded, cmp.Or(g.PartBlock, full))
}

// Sample draws a few cells of the series with number i, for a legend.
func Sample(i int, th theme.Theme) string {
	return th.Lines[i%len(th.Lines)].Render(chart.Sample(i, Glyphs(th)))
}

// colored gives each series in a row of a plot its color. Its characters tell which one it is.
func colored(row string, glyphs *chart.Glyphs, inks []theme.Style) string {
	var all strings.Builder
	from, line := 0, -1
	flush := func(to int) {
		if line < 0 {
			all.WriteString(row[from:to])
		} else {
			all.WriteString(inks[line].Render(row[from:to]))
		}
		from = to
	}
	for at, char := range row {
		if next := glyphs.LineOf(char); next != line {
			flush(at)
			line = next
		}
	}
	flush(len(row))
	return all.String()
}

// frame adds the numbers left of a plot and free lines above it up to rows, and below it the rail and the axis.
func (c Chart) frame(
	plot []string, columns chart.Columns, s chart.Scale, width, rows int, th theme.Theme,
) []string {
	lines := make([]string, 0, rows+Rows)
	for range rows - len(plot) {
		lines = append(lines, th.Fit(c.gutter("", Glyphs(th).Axis, th), width))
	}
	for row, drawn := range plot {
		number, tick := "", Glyphs(th).Axis
		if len(c.Bins) > 0 && s.IsTick(row) {
			number, tick = c.tick(s.Value(row)), Glyphs(th).Tick
		}
		lines = append(lines, th.Fit(c.gutter(number, tick, th)+drawn, width))
	}
	rail := c.rail(columns, th)
	zone := ""
	if c.Zoned {
		zone = "UTC"
	}
	axis := chart.Axis{Columns: columns, Unit: c.Unit, Bins: c.Bins}
	return append(lines,
		th.Fit(th.Rule.Render(strings.Repeat(" ", gutter-2)+Glyphs(th).Corner+Glyphs(th).Base)+rail.Draw(), width),
		th.Fit(th.Faint.Render(th.Fit(strings.Repeat(" ", gutter-3-len(zone))+zone, gutter))+labels(axis.Names(), th), width),
	)
}

func (c Chart) rail(columns chart.Columns, th theme.Theme) chart.Rail {
	return chart.Rail{
		Columns: columns, Cursor: c.Cursor, Read: c.Read, Beyond: c.Beyond, Brush: c.Brush,
		Glyphs: Glyphs(th),
		Styles: chart.RailStyles{
			Axis: style(th.Rule), Chosen: style(th.Selected), Match: style(th.Mark),
		},
	}
}

// labels writes the labels of an axis, those with a year in ink.
func labels(ticks []chart.Tick, th theme.Theme) string {
	var line strings.Builder
	at := 0
	for _, t := range ticks {
		label := t.Label
		if !t.Major {
			label = th.Faint.Render(label)
		}
		line.WriteString(strings.Repeat(" ", t.Column-at) + label)
		at = t.Column + len(t.Label)
	}
	return line.String()
}

// gutter returns what is left of a line of the plot.
func (c Chart) gutter(number, tick string, th theme.Theme) string {
	return th.Dim.Render(strings.Repeat(" ", max(0, gutter-3-len(number)))+number) + th.Rule.Render(" "+tick+" ")
}

// tick writes a value of the scale in at most four cells.
func (c Chart) tick(value float64) string {
	switch n := int(value + 0.5); {
	case c.Share:
		return strconv.FormatFloat(math.Round(value*1000)/10, 'f', -1, 64) + "%"
	case n < 1000:
		return strconv.Itoa(n)
	case n < 1_000_000:
		return strconv.FormatFloat(float64(n)/1000, 'f', -1, 64) + "k"
	default:
		return strconv.FormatFloat(float64(n)/1_000_000, 'f', -1, 64) + "M"
	}
}

// Written formats a height: a count or a percentage.
func (c Chart) Written(value float64) string {
	if c.Share {
		return theme.Percent(value)
	}
	return theme.Short(int(value + 0.5))
}

// Height returns the height of a bar: a count, or a share of the baseline.
func (c Chart) Height(b chart.Bin) float64 {
	if c.Share {
		return b.Share()
	}
	return float64(b.Count)
}

// least is the least top of the scale of a single line.
func (c Chart) least() float64 {
	if c.Share {
		return 0.01
	}
	return 1
}

// chosen reports whether bin i is brushed or, without a brush, under the cursor.
func (c Chart) chosen(i int) bool {
	if c.Brush[0] < c.Brush[1] {
		return i >= c.Brush[0] && i < c.Brush[1]
	}
	return i == c.Cursor
}

// inked are those of ASCII where colors tell which bars are chosen: thin ones look like the axis.
var inked = func() chart.Glyphs {
	g := chart.ASCII
	g.Block = g.ChosenBlock
	return g
}()

// Glyphs returns the characters that charts of a theme are drawn with.
func Glyphs(th theme.Theme) *chart.Glyphs {
	switch {
	case th.Name == theme.ASCII && th.Bar.Before != "":
		return &inked
	case th.Name == theme.ASCII:
		return &chart.ASCII
	case th.Shaded:
		return &chart.Shaded
	}
	return &chart.Unicode
}

// BarStyles returns the styles that bars of a theme are drawn in.
func BarStyles(th theme.Theme) chart.BarStyles {
	return chart.BarStyles{
		Plain: style(th.Bar), Chosen: style(th.Selected), Faded: style(th.Faded),
		Area: style(th.Area), Ground: style(th.Ground), Grid: style(th.Rule),
	}
}

func style(s theme.Style) chart.Style { return chart.Style{Before: s.Before, After: s.Behind} }
