package chart_test

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"
	"pgregory.net/rapid"

	"lens/internal/chart"
)

func TestAxis_NamesOnEdgesWithYear(t *testing.T) {
	for name, c := range map[string]struct {
		histogram chart.Histogram
		columns   int
		want      string
	}{
		"months with room": {
			histogram("month", "2023-11-01", 1, 2, 3, 4), 40, "Nov 2023  Dec       2024      Feb",
		},
		"years in a narrow chart": {
			histogram("month", "2022-03-01", make([]int, 40)...), 40, "Mar 2022  2023        2024        2025",
		},
		"weeks by their months": {
			histogram("week", "2024-12-30", make([]int, 24)...), 72, "   Jan 2025    Feb         Mar            Apr         May         Jun",
		},
		"many weeks": {
			histogram("week", "2024-12-30", make([]int, 54)...), 54, " 2025         Apr          Jul          Oct",
		},
		"months beside a first one with its year": {
			histogram("month", "2022-11-01", make([]int, 8)...), 56, "Nov 2022      2023   Feb    Mar    Apr    May    Jun",
		},
		"weeks beside a first month with its year": {
			histogram("week", "2022-10-31", make([]int, 35)...), 72, "  Nov 2022        Jan 2023  Feb      Mar     Apr     May       Jun",
		},
		"pairs of months by their halves": {
			histogram("2mo", "2024-01-01", make([]int, 12)...), 60, "2024           Jul            2025           Jul",
		},
		"weeks within a month by their Monday": {
			histogram("week", "2024-04-30", 1, 2, 3, 4), 60, "29 Apr 2024    6 May          13 May         20 May",
		},
		"hours with their day": {
			histogram("hour", "2024-05-03", make([]int, 48)...), 96,
			"3 May 2024  06:00       12:00       18:00       4 May       06:00       12:00       18:00",
		},
		"one bin": {histogram("day", "2024-05-03", 7), 22, "3 May 2024"},
		"decades": {histogram("year", "1990-01-01", make([]int, 40)...), 40, "1990      2000      2010      2020"},
	} {
		t.Run(name, func(t *testing.T) {
			if got := chart.Labels(axis(c.histogram, c.columns).Names()); got != c.want {
				t.Errorf("got  %q\nwant %q", got, c.want)
			}
		})
	}
}

func axis(h chart.Histogram, columns int) chart.Axis {
	return chart.Axis{Columns: chart.Columns{Bins: len(h.Bins), Width: columns}, Unit: h.Unit, Bins: h.Bins}
}

func TestGlyphs_OneCell(t *testing.T) {
	for name, g := range map[string]chart.Glyphs{"Unicode": chart.Unicode, "ASCII": chart.ASCII} {
		all := slices.Concat(g.Levels, g.Eighths, []string{
			g.Grid, g.RailFrom, g.Rail, g.RailTo, g.CursorMark, g.MatchMark, g.Axis,
			g.Tick, g.Begin, g.Corner, g.Base, g.TimeTick,
		})
		for _, l := range g.Lines {
			all = append(all, l.Horizontal, l.VerticalLine, l.ArcDownRight, l.ArcDownLeft, l.ArcUpRight, l.ArcUpLeft)
		}
		for _, glyph := range all {
			if ansi.StringWidth(glyph) != 1 || ansi.StringWidthWc(glyph) != 1 || name == "ASCII" && glyph[0] > 126 {
				t.Errorf("%s: %q", name, glyph)
			}
		}
	}
}

func TestGlyphs_LineOf(t *testing.T) {
	for name, g := range map[string]chart.Glyphs{"Unicode": chart.Unicode, "ASCII": chart.ASCII} {
		for i, l := range g.Lines {
			for _, char := range l.Horizontal + l.VerticalLine + l.ArcDownRight + l.ArcDownLeft + l.ArcUpRight + l.ArcUpLeft {
				if got := g.LineOf(char); got != i {
					t.Errorf("%s: %q is of line %d, want %d", name, char, got, i)
				}
			}
		}
		if got := g.LineOf(' '); got != -1 {
			t.Errorf("%s: a space is of line %d", name, got)
		}
	}
}

// For any bins and width: every column has one bin, and a bin is at the columns of its span.
func TestColumns_SpansCover(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		c := anyColumns(t, rapid.IntRange(0, 300).Draw(t, "bins"), rapid.IntRange(1, 200).Draw(t, "width"))
		first, next := 0, 0
		if c.Bins > 0 {
			first, _ = c.Span(0)
			next = first
		}
		for i := range c.Bins {
			from, to := c.Span(i)
			if from != next || to < from || to > c.Width {
				t.Fatalf("bin %d spans %d to %d, after %d", i, from, to, next)
			}
			if at := c.Middle(i); at < 0 || at >= c.Width || from < to && (at < from || at >= to) {
				t.Fatalf("the middle of bin %d is %d, of %d to %d", i, at, from, to)
			}
			for x := from; x < to; x++ {
				if c.At(x) != i {
					t.Fatalf("column %d has bin %d, not %d", x, c.At(x), i)
				}
			}
			next = to
		}
		if next > c.Width || c.At(first-1) != -1 || c.At(next) != -1 || c.Bins == 0 && c.At(0) != -1 {
			t.Fatalf("the bins end at %d", next)
		}
		if c.Bins > 0 && (c.Nearest(-5) != c.At(first) || c.Nearest(c.Width+5) != c.At(next-1)) {
			t.Fatalf("beside the bins, %d and %d are the nearest", c.Nearest(-5), c.Nearest(c.Width+5))
		}
	})
}

// anyColumns returns columns that bins share in either way.
func anyColumns(t *rapid.T, bins, width int) chart.Columns {
	if rapid.Bool().Draw(t, "equal") {
		return chart.Equal(bins, width).In(rapid.SampledFrom([]*chart.Glyphs{&chart.Unicode, &chart.ASCII}).Draw(t, "in"))
	}
	return chart.Columns{Bins: bins, Width: width}
}

// For any bins that fit: bars are equally wide, and gaps differ by a cell at most.
func TestColumns_EqualBars(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		width := rapid.IntRange(1, 200).Draw(t, "width")
		c := chart.Equal(rapid.IntRange(1, width).Draw(t, "bins"), width).
			In(rapid.SampledFrom([]*chart.Glyphs{&chart.Unicode, &chart.ASCII}).Draw(t, "in"))
		from, to := c.Bar(0)
		wide, narrowest, widest := to-from, width, 0
		for i := range c.Bins {
			from, to := c.Bar(i)
			if to-from != wide || wide < 1 || from < 0 || to > width {
				t.Fatalf("bar %d is at %d to %d, the first is %d wide", i, from, to, wide)
			}
			if i+1 < c.Bins {
				next, _ := c.Bar(i + 1)
				narrowest, widest = min(narrowest, next-to), max(widest, next-to)
			}
		}
		if c.Bins > 1 && widest-narrowest > 1 {
			t.Fatalf("gaps are %d to %d wide", narrowest, widest)
		}
		if end, _ := c.Span(c.Bins); c.Bins*2 <= width && (end+1)*5 < width*2 && c.Bins > width/8 {
			t.Fatalf("%d bins take %d of %d columns", c.Bins, end, width)
		}
	})
}

// Where bars of a cell would be thin and those of two would touch, they are a cell and a half wide, with a cell between
// them, and half a cell high at least. Without halves of cells, they are of one cell.
func TestBars_OfACellAndAHalf(t *testing.T) {
	for name, c := range map[string]struct {
		glyphs *chart.Glyphs
		want   string
	}{
		"Unicode": {&chart.Unicode, "     █▌   \n▄▖▗▄ █▌   \n█▌▐█ █▌▗▄ "},
		"shaded":  {&chart.Shaded, "     █▌   \n▄▖ ▓ █▌   \n█▌ ▓ █▌▗▄ "}, // a shade has no half
		"ASCII":   {&chart.ASCII, "     |    \n|    |    \n| :  | |  "},
	} {
		columns := chart.Equal(4, 10).In(c.glyphs)
		bars := chart.Bars{Columns: columns, Scale: chart.Scale{Top: 24, Rows: 3}, Glyphs: c.glyphs}
		for i, v := range []float64{13, 11, 24, 1} {
			bars.Bars = append(bars.Bars, chart.Bar{Value: v, Partial: i == 1})
		}
		if got := strings.Join(bars.Draw(), "\n"); got != c.want {
			t.Errorf("%s:\n%s\nwant\n%s", name, got, c.want)
		}
	}
}

// The half of a cell beside a bar shows the area, as far as that fills half of the cell.
func TestBars_HalvesOnArea(t *testing.T) {
	bars := chart.Bars{
		Columns: chart.Equal(2, 5).In(&chart.Unicode), Scale: chart.Scale{Top: 2, Rows: 2}, BaselineTop: 2,
		Glyphs: &chart.Unicode, Bars: []chart.Bar{{Value: 2, Baseline: 1}, {Value: 2, Baseline: 1.5}},
		Styles: chart.BarStyles{
			Plain: chart.Style{Before: "<"}, Area: chart.Style{Before: "."}, Ground: chart.Style{Before: "_"},
		},
	}
	for i, want := range []string{"<█▌<_▐<█.▄", "<█<_▌▐<█.█"} {
		if got := strings.ReplaceAll(bars.Draw()[i], " ", ""); got != want {
			t.Errorf("line %d: %q, want %q", i, got, want)
		}
	}
}

func TestEvenTop(t *testing.T) {
	for highest, want := range map[float64]float64{0: 2, 1: 2, 2: 2, 3: 4, 9: 10, 10: 10, 11: 12, 13: 16, 17: 20, 41: 50, 81: 100, 1001: 1200, math.NaN(): 2, math.Inf(1): 2} {
		if got := chart.EvenTop(highest); got != want {
			t.Errorf("above %v is %v, want %v", highest, got, want)
		}
	}
}

// anyHistogram returns up to 300 bins, of any unit, anywhere in time, of small, large and no counts up to most.
func anyHistogram(t *rapid.T, most int) chart.Histogram {
	units := []string{"hour", "6h", "day", "3d", "week", "month", "quarter", "year"}
	most = rapid.SampledFrom([]int{0, 3, most}).Draw(t, "most")
	from := rapid.SampledFrom([]string{"0001-01-01", "1969-12-28", "2023-12-28", "9998-07-05"}).Draw(t, "from")
	h := histogram(rapid.SampledFrom(units).Draw(t, "unit"), from,
		rapid.SliceOfN(rapid.IntRange(0, most), 0, 300).Draw(t, "counts")...)
	for i := range h.Bins {
		h.Bins[i].Baseline = rapid.IntRange(0, most).Draw(t, "baseline")
		h.Bins[i].Partial = rapid.Bool().Draw(t, "partial")
	}
	h.Peaks = rapid.SliceOfN(rapid.IntRange(0, max(len(h.Bins)-1, 0)), 0, min(len(h.Bins), 5)).Draw(t, "peaks")
	return h
}

// mustFit fails if lines have another number of rows, or cells beyond the width.
func mustFit(t *rapid.T, lines []string, width, rows int) {
	if len(lines) != rows {
		t.Fatalf("%d lines, not %d", len(lines), rows)
	}
	for _, line := range lines {
		if got := ansi.StringWidth(line); got > width || strings.Contains(line, "\n") {
			t.Fatalf("%d cells in %d: %q", got, width, line)
		}
	}
}

func TestBars_FitAnyData(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		h, width, rows := anyHistogram(t, 1<<50), rapid.IntRange(1, 130).Draw(t, "width"), rapid.IntRange(1, 12).Draw(t, "rows")
		top := rapid.SampledFrom([]float64{-1, 0, 0.01, 1, 7, 1e9, math.Inf(1), math.NaN()}).Draw(t, "top")
		glyphs := rapid.SampledFrom([]*chart.Glyphs{&chart.Unicode, &chart.ASCII}).Draw(t, "glyphs")
		bars := chart.Bars{
			Columns: anyColumns(t, len(h.Bins), width), Scale: chart.Scale{Top: top, Rows: rows},
			BaselineTop: top, Glyphs: glyphs, Grid: rapid.Bool().Draw(t, "grid"),
			Styles: chart.BarStyles{Plain: chart.Style{Before: "\x1b[34m", After: "\x1b[m"}},
		}
		for _, b := range h.Bins {
			bars.Bars = append(bars.Bars, chart.Bar{
				Value: anyValue(t), Baseline: float64(b.Baseline), Faded: b.Partial, Partial: b.Partial, Chosen: b.Count%2 == 0,
			})
		}
		mustFit(t, bars.Draw(), width, rows)
		cursor := rapid.IntRange(-2, len(h.Bins)+2)
		rail := chart.Rail{
			Columns: bars.Columns, Cursor: cursor.Draw(t, "cursor"), Glyphs: glyphs,
			Brush: [2]int{rapid.IntRange(0, len(h.Bins)+2).Draw(t, "from"), cursor.Draw(t, "to")},
		}
		mustFit(t, []string{rail.Draw()}, width, 1)
	})
}

// The match that is read hides no corner of a brush.
func TestRail_BrushKeepsItsCorners(t *testing.T) {
	for want, r := range map[string]chart.Rail{
		"────┗━━━━━━━┛───────": {Brush: [2]int{2, 7}},
		"───┗◆━━━━━━━┛───────": {Brush: [2]int{2, 7}, Read: []int{2}},
		"────┗━━━━━━━◆┛──────": {Brush: [2]int{2, 7}, Read: []int{6}},
		"────┗━━━◆━━━┛───────": {Brush: [2]int{2, 7}, Read: []int{4}},
		"┗◆━━┛───────────────": {Brush: [2]int{0, 3}, Read: []int{0}},
		"───┗◆┛──────────────": {Brush: [2]int{2, 3}, Read: []int{2}},
	} {
		r.Columns, r.Glyphs = chart.Equal(10, 20), &chart.Unicode
		if got := r.Draw(); got != want {
			t.Errorf("brush %v, read %v: %q, want %q", r.Brush, r.Read, got, want)
		}
	}
}

func anyValue(t *rapid.T) float64 {
	return rapid.OneOf(
		rapid.SampledFrom([]float64{0, -1, math.NaN(), math.Inf(1), math.Inf(-1), math.MaxFloat64}),
		rapid.Float64Range(0, 5000),
	).Draw(t, "value")
}

func TestLines_FitAnyData(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		width, rows := rapid.IntRange(0, 130).Draw(t, "width"), rapid.IntRange(1, 12).Draw(t, "rows")
		series := make([][]float64, rapid.IntRange(0, 5).Draw(t, "series"))
		for i := range series {
			for range width {
				series[i] = append(series[i], anyValue(t))
			}
		}
		top := rapid.SampledFrom([]float64{-1, 0, 0.01, 1, 7, 1e9, math.Inf(1), math.NaN()}).Draw(t, "top")
		glyphs := rapid.SampledFrom([]*chart.Glyphs{&chart.Unicode, &chart.ASCII}).Draw(t, "glyphs")
		var lines []string
		for _, row := range chart.Lines(series, chart.Scale{Top: top, Rows: rows}, glyphs) {
			lines = append(lines, row.Cells)
		}
		mustFit(t, lines, width, rows)
	})
}

func TestAxis_FitsAnyData(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		h := anyHistogram(t, 1)
		a := axis(h, rapid.IntRange(11, 130).Draw(t, "width")) // the longest name
		mustFit(t, []string{chart.Labels(a.Names())}, a.Width, 1)
		for i, tick := range a.Dates() {
			if i > 0 && tick.Column+len(tick.Label) > a.Width { // the first one is always shown
				t.Fatalf("%q at %d of %d", tick.Label, tick.Column, a.Width)
			}
		}
	})
}

func TestText_FitsAnyData(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		h := anyHistogram(t, 300)
		opts := chart.Options{
			Width: rapid.IntRange(60, 130).Draw(t, "width"), Height: rapid.IntRange(1, 12).Draw(t, "height"),
			ASCII: rapid.Bool().Draw(t, "ascii"), Color: rapid.Bool().Draw(t, "color"), Shares: rapid.Bool().Draw(t, "shares"),
		}
		all := make([]chart.Histogram, rapid.IntRange(1, 5).Draw(t, "series"))
		names := make([]string, len(all))
		for i := range all {
			all[i], names[i] = h, strings.Repeat("日", i*i)
		}
		for line := range strings.Lines(chart.Text(h, opts) + chart.Comparison(series(names, all...), opts)) {
			if strings.Contains(line, "highest of") {
				continue // a sentence may be longer than a chart
			}
			if got := ansi.StringWidth(strings.TrimSuffix(line, "\n")); got > opts.Width {
				t.Fatalf("%d cells in %d: %q", got, opts.Width, line)
			}
		}
	})
}

func ExampleBars() {
	h := histogram("month", "2024-01-01", 1, 5, 8, 3)
	columns := chart.Equal(len(h.Bins), 32)
	bars := chart.Bars{Columns: columns, Scale: chart.Scale{Top: 8, Rows: 2}, Glyphs: &chart.ASCII}
	for i, b := range h.Bins {
		bars.Bars = append(bars.Bars, chart.Bar{Value: float64(b.Count), Chosen: i == 2, Partial: i == 0})
	}
	for _, line := range bars.Draw() {
		fmt.Println("|" + strings.TrimRight(line, " "))
	}
	fmt.Println(" " + chart.Rail{Columns: columns, Cursor: 2, Glyphs: &chart.ASCII}.Draw())
	fmt.Println(" " + chart.Labels(chart.Axis{Columns: columns, Unit: h.Unit, Bins: h.Bins}.Names()))
	// Output:
	// |                ######
	// |::::::  ||||||  ######  ||||||
	//  ------------------^-------------
	//  2024    Feb     Mar     Apr
}
