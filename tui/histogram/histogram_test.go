package histogram_test

import (
	"strings"
	"testing"
	"time"

	"github.com/charmbracelet/colorprofile"
	"github.com/charmbracelet/x/ansi"
	"pgregory.net/rapid"

	"lens/internal/chart"
	"lens/retrieval/timebin"
	"lens/tui/histogram"
	"lens/tui/theme"
)

var (
	mono  = theme.New(theme.Mono, colorprofile.ASCII)
	ascii = theme.New(theme.ASCII, colorprofile.ASCII)
)

// histogramOf returns a chart of counts in bins of a unit, starting at a day.
func histogramOf(unit timebin.Unit, from string, counts ...int) histogram.Chart {
	t, err := time.Parse(time.DateOnly, from)
	if err != nil {
		panic(err)
	}
	c := histogram.Chart{Histogram: chart.Histogram{Unit: timebin.Bin{Unit: unit, N: 1}}, Noun: "matches"}
	start := c.Unit.Floor(t.Unix())
	for _, n := range counts {
		end := c.Unit.Next(start)
		c.Bins = append(c.Bins, chart.Bin{Start: start, End: end, Count: n, Baseline: 2 * n})
		start = end
	}
	return c
}

func drawn(c histogram.Chart, width, rows int, th theme.Theme) string {
	var lines []string
	for _, line := range c.View(width, rows, th) {
		lines = append(lines, strings.TrimRight(ansi.Strip(line), " "))
	}
	return strings.Join(lines, "\n")
}

func TestChart_View(t *testing.T) {
	for name, c := range map[string]struct {
		chart histogram.Chart
		rows  int
		th    theme.Theme
		want  string
	}{
		"eighths, at least one if not empty": {
			histogramOf(timebin.Month, "2024-01-01", 0, 1, 4, 8, 100, 50), 2, mono,
			" 100 ┤                 ███\n   0 ┤     ▁▁▁ ▁▁▁ ▁▁▁ ███ ███\n     └──▲──────────────────────\n       2024        Apr",
		},
		"a brush has a rail": {
			func() histogram.Chart {
				c := histogramOf(timebin.Month, "2024-01-01", 1, 2, 3, 4, 5, 6)
				c.Brush = [2]int{2, 5}
				return c
			}(), 1, mono, "   6 ┤ ▁▁▁ ▃▃▃ ▄▄▄ ▅▅▅ ▇▇▇ ███\n     └─────────┗━━━━━━━━━┛─────\n       2024        Apr",
		},
		"what is read is marked over cursor and brush": {
			func() histogram.Chart {
				c := histogramOf(timebin.Month, "2024-01-01", 1, 2, 3, 4, 5, 6)
				c.Brush, c.Read = [2]int{2, 5}, []int{4}
				return c
			}(), 1, mono, "   6 ┤ ▁▁▁ ▃▃▃ ▄▄▄ ▅▅▅ ▇▇▇ ███\n     └─────────┗━━━━━━━━◆┛─────\n       2024        Apr",
		},
		"ASCII, with the cursor's own bar": {
			func() histogram.Chart {
				c := histogramOf(timebin.Month, "2024-01-01", 1, 2, 3, 4, 5, 6)
				c.Cursor = 4
				return c
			}(), 2, ascii, "   6 +                 ### |||\n   0 + ||| ||| ||| ||| ### |||\n     +------------------^------\n       2024        Apr",
		},
		"an area on its own scale, and lines at half and top": {
			func() histogram.Chart {
				c := histogramOf(timebin.Month, "2024-01-01", 0, 30, 60, 10)
				for i, n := range []int{200, 100, 50, 0} {
					c.Bins[i].Baseline = n
				}
				c.Cursor, c.Baselined = 3, true
				return c
			}(), 6, mono, "     │\n  60 ┤ ╌╌╌╌╌╌╌╌╌╌╌╌█████╌╌╌╌╌╌╌\n     │ ░░░░░░      █████\n  30 ┤ ░░░░░░▄▄▄▄▄╌█████╌╌╌╌╌╌╌\n" +
				"     │ ░░░░░░█████░█████\n   0 ┤ ░░░░░░█████░█████░▇▇▇▇▇\n     └─────────────────────▲───\n       2024  Feb   Mar   Apr",
		},
		"no bins": {histogram.Chart{}, 2, mono, "     │\n     │\n     └─────────────────────────\n"},
		"empty bins": {
			histogramOf(timebin.Year, "2020-01-01", 0, 0), 2, mono,
			"   2 ┤\n   0 ┤\n     └───────▲─────────────────\n           2020    2021",
		},
	} {
		t.Run(name, func(t *testing.T) {
			if got := drawn(c.chart, 32, c.rows, c.th); got != c.want {
				t.Errorf("got\n%s\nwant\n%s", got, c.want)
			}
		})
	}
}

func TestChart_LinesEndWithTheirBins(t *testing.T) {
	for _, bins := range []int{1, 3, 20, 200} {
		c := histogramOf(timebin.Week, "2023-12-28", make([]int, bins)...)
		values := make([]float64, bins)
		for i := range values {
			values[i] = 4
		}
		end := 0
		for x := range 60 {
			if c.BinAt(x, 60) == bins-1 {
				end = x + 1
			}
		}
		lines := 0
		for _, line := range c.LineView([]histogram.Series{{Values: values}}, 60, 10, mono)[:10] {
			drawn := strings.TrimRight(ansi.Strip(line), " ")
			got := ansi.StringWidth(drawn)
			if got <= histogram.Left { // only an axis
				continue
			}
			if lines++; got != end {
				t.Errorf("of %d bins, which end at %d, a line ends at %d: %q", bins, end, got, drawn)
			}
		}
		if lines == 0 {
			t.Errorf("of %d bins, no line is drawn", bins)
		}
	}
}

func TestChart_LinesHaveTheirColors(t *testing.T) {
	c := histogramOf(timebin.Month, "2024-01-01", 1, 2, 3)
	all := []histogram.Series{
		{Number: 0, Values: []float64{4, 4, 4}},
		{Number: 2, Values: []float64{0, 9, 0}},
		{Number: 1, Values: []float64{2, 2, 2}},
		{Number: 3, Values: []float64{7, 7, 7}},
	}
	for _, name := range []theme.Name{theme.Dark, theme.Light, theme.ASCII} {
		th := theme.New(name, colorprofile.TrueColor)
		for number, style := range th.Lines { // more than there are characters
			plot := strings.Join(c.LineView([]histogram.Series{{Number: number, Values: []float64{4, 4, 4}}}, 32, 10, th), "\n")
			if sample := histogram.Sample(number, th); !strings.Contains(plot, strings.TrimSuffix(sample, style.Behind)) {
				t.Errorf("%s: line %d does not look like its sample", name, number)
			}
		}
		plot := strings.Join(c.LineView(all, 32, 10, th), "\n")
		for i, set := range histogram.Glyphs(th).Lines {
			for j, style := range th.Lines {
				if strings.Contains(plot, style.Before+set.Horizontal) != (i == j) {
					t.Errorf("%s: line %d is in the color of %d: %v", name, i, j, i != j)
				}
			}
			if sample := histogram.Sample(i, th); !strings.HasPrefix(sample, th.Lines[i].Before+set.Horizontal) {
				t.Errorf("%s: the sample of line %d is %q", name, i, sample)
			}
		}
	}
}

func TestChart_Words(t *testing.T) {
	for name, c := range map[string]struct {
		unit timebin.Unit
		from string
		want string
	}{
		"a year":               {timebin.Year, "2024-01-01", "2024: 1 match of 2 turns"},
		"a quarter":            {timebin.Quarter, "2024-05-01", "Q2 2024: 1 match of 2 turns"},
		"a month":              {timebin.Month, "2024-05-01", "May 2024: 1 match of 2 turns"},
		"a week in a month":    {timebin.Week, "2024-05-08", "6–12 May 2024: 1 match of 2 turns"},
		"a week across months": {timebin.Week, "2024-05-01", "29 Apr – 5 May 2024: 1 match of 2 turns"},
		"a week across years":  {timebin.Week, "2024-12-31", "30 Dec 2024 – 5 Jan 2025: 1 match of 2 turns"},
		"a day":                {timebin.Day, "2024-05-14", "Tue 14 May 2024: 1 match of 2 turns"},
		"an hour":              {timebin.Hour, "2024-05-14", "Tue 14 May 2024, 00:00–01:00: 1 match of 2 turns"},
		"before the epoch":     {timebin.Week, "1969-12-31", "29 Dec 1969 – 4 Jan 1970: 1 match of 2 turns"},
	} {
		t.Run(name, func(t *testing.T) {
			ch := histogramOf(c.unit, c.from, 1)
			ch.Baselined = true
			if got := ch.Words(0, mono); got != c.want {
				t.Errorf("got %q, want %q", got, c.want)
			}
		})
	}
}

// Occurrences and the nearest are turns, too.
func TestCountOf(t *testing.T) {
	for noun, want := range map[string]string{"matches": "1 match of 1,200 turns", "occurrences": "1 of 1,200 turns", "nearest": "1 of 1,200 turns", "turns": "1 of 1,200 turns"} {
		if got := histogram.CountOf(1, noun, 1200); got != want {
			t.Errorf("%s: %q, want %q", noun, got, want)
		}
	}
}

// A bar of what is partly out of view is dim, which its words explain.
func TestChart_WordsOfAPartialBin(t *testing.T) {
	c := histogramOf(timebin.Month, "2024-05-01", 1)
	c.Bins[0].Partial = true
	if got := c.Words(0, mono); !strings.HasPrefix(got, "May 2024, in part: 1 match") {
		t.Errorf("got %q", got)
	}
}

func TestChart_BrushWords(t *testing.T) {
	c := histogramOf(timebin.Month, "2024-01-01", 1, 20, 300)
	c.Brush = [2]int{1, 3}
	if got := c.BrushWords(mono); got != "Feb–Mar 2024: 320 matches" {
		t.Errorf("got %q", got)
	}
	c = histogramOf(timebin.Day, "2024-05-01", 1, 2, 3)
	c.Brush = [2]int{0, 3}
	if got := c.BrushWords(ascii); got != "1-3 May 2024: 6 matches" {
		t.Errorf("got %q", got)
	}
}

func TestCrumb_IsExact(t *testing.T) {
	day := func(s string) int64 {
		when, err := time.Parse(time.DateOnly, s)
		if err != nil {
			t.Fatal(err)
		}
		return when.Unix()
	}
	for _, c := range []struct {
		from, to int64
		want     string
	}{
		{day("2024-01-01"), day("2025-01-01"), "2024"},
		{day("2024-04-01"), day("2024-07-01"), "Q2 2024"},
		{day("2024-05-01"), day("2024-06-01"), "May 2024"},
		{day("2024-05-03"), day("2024-05-04"), "3 May 2024"},
		{day("2024-05-03"), day("2024-05-03") + 3600, "3 May 2024, 00:00-01:00"},
		{day("2024-05-03"), day("2024-07-01"), "3 May - 30 Jun 2024"},
		{day("2024-05-03"), day("2024-05-03") + 7200, "3 May 2024, 00:00-02:00"},
		{day("2024-05-03") + 3600, day("2024-05-04") + 3600, "3 May 2024, 01:00 - 4 May 2024, 01:00"},
		{day("2024-05-03"), day("2024-05-10"), "3-9 May 2024"},
		{day("2023-12-03"), day("2024-01-02"), "3 Dec 2023 - 1 Jan 2024"},
		{day("2024-01-01"), day("2024-07-01"), "Jan-Jun 2024"},
		{day("2023-11-01"), day("2024-02-01"), "Nov 2023 - Jan 2024"},
		{day("2022-01-01"), day("2025-01-01"), "2022-2024"},
	} {
		if got := histogram.Crumb(c.from, c.to, ascii); got != c.want {
			t.Errorf("got %q, want %q", got, c.want)
		}
	}
}

func TestChart_BinAtMatchesTheDrawing(t *testing.T) {
	c := histogramOf(timebin.Month, "2024-01-01", 1, 2, 3)
	for x, want := range map[int]int{0: -1, 6: -1, 7: 0, 14: 0, 15: 1, 30: 2, 31: -1, 99: -1} { // of eight columns each
		if got := c.BinAt(x, 32); got != want {
			t.Errorf("column %d is bin %d, want %d", x, got, want)
		}
	}
}

// For any chart and size: exact lines of exact width, and a click on a column finds the bin drawn there.
func TestChart_FillsItsRectangle(t *testing.T) {
	units := rapid.SampledFrom([]timebin.Unit{
		timebin.Hour, timebin.Day, timebin.Week, timebin.Month, timebin.Quarter, timebin.Year,
	})
	rapid.Check(t, func(t *rapid.T) {
		c := histogramOf(units.Draw(t, "unit"), "2023-12-28",
			rapid.SliceOfN(rapid.IntRange(0, 1_000_000), 0, 90).Draw(t, "counts")...)
		n := len(c.Bins)
		c.Cursor = rapid.IntRange(-1, n).Draw(t, "cursor")
		c.Share, c.Baselined = rapid.Bool().Draw(t, "share"), rapid.Bool().Draw(t, "baselined")
		from := rapid.IntRange(0, n).Draw(t, "from")
		c.Brush = [2]int{from, rapid.IntRange(from, n).Draw(t, "to")}
		width, rows := rapid.IntRange(8, 130).Draw(t, "width"), rapid.IntRange(1, 12).Draw(t, "rows")
		lines := c.View(width, rows, rapid.SampledFrom([]theme.Theme{mono, ascii}).Draw(t, "theme"))
		if len(lines) != rows+histogram.Rows {
			t.Fatalf("%d lines for %d rows", len(lines), rows)
		}
		for _, line := range lines {
			if got := ansi.StringWidth(line); got != width {
				t.Fatalf("a line of %d cells on %d: %q", got, width, line)
			}
		}
		for i := range c.Bins {
			_ = c.Words(i, mono)
		}
	})
}

func BenchmarkChart(b *testing.B) {
	counts := make([]int, 62)
	values := make([]float64, len(counts))
	for i := range counts {
		counts[i] = i * 37 % 91
		values[i] = float64(counts[i])
	}
	c := histogramOf(timebin.Month, "2019-11-01", counts...)
	c.Cursor, c.Peaks, c.Baselined = 7, []int{3, 40}, true
	th := theme.New(theme.Dark, colorprofile.TrueColor)
	b.Run("bars", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			c.View(120, 9, th)
		}
	})
	b.Run("lines", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			c.LineView([]histogram.Series{{Values: values}}, 120, 9, th)
		}
	})
}

// Bars of bins that are partly in view have a sign of their own, or a color.
func TestChart_PartialBars(t *testing.T) {
	c := histogramOf(timebin.Year, "2020-01-01", 4, 4, 4)
	c.Bins[0].Partial, c.Bins[2].Partial, c.Cursor = true, true, 2
	for name, of := range map[string]struct {
		th   theme.Theme
		want string
	}{
		"16 colors": {theme.New(theme.Dark, colorprofile.ANSI), "▓▓▓▓▓▓ ██████ ▓▓▓▓▓▓"},
		"mono":      {mono, "▓▓▓▓▓▓ ██████ ▓▓▓▓▓▓"},
		"ASCII":     {ascii, ":::::: |||||| ::::::"},
		"color":     {theme.New(theme.Dark, colorprofile.TrueColor), "██████ ██████ ██████"},
	} {
		lines := c.View(32, 2, of.th)
		if got := strings.Join(strings.Fields(ansi.Strip(lines[1]))[2:], " "); got != of.want {
			t.Errorf("%s: got %q, want %q", name, got, of.want)
		}
		if _, _, part := histogram.Samples(of.th); !strings.Contains(of.want, ansi.Strip(part)) {
			t.Errorf("%s: the sample is %q", name, part)
		}
		if name == "color" && strings.Count(lines[1], of.th.Faded.Before) != 1 {
			t.Errorf("one bar is not faded in %q", lines[1])
		}
	}
	if bright := "\x1b[1m▓"; !strings.Contains(c.View(32, 2, mono)[1], bright) {
		t.Errorf("without color, the chosen bar is not bright: %q", c.View(32, 2, mono)[1])
	}
	if gray := "\x1b[2m█"; !strings.Contains(c.View(32, 2, mono)[1], gray) {
		t.Errorf("without color, another bar is not gray: %q", c.View(32, 2, mono)[1])
	}
}

func TestChart_Captions(t *testing.T) {
	c := histogramOf(timebin.Month, "2024-01-01", 3, 60, 5, 2, 1, 4, 30, 2)
	c.Cursor = 3
	c.Captions = []histogram.Caption{
		{Bin: 1, Words: []string{"tokio::select", "guard", "drop"}},
		{Bin: 6, Words: []string{"axum", "graceful shutdown of a server"}},
		{Bin: 2, Words: []string{"no room beside the highest bar"}},
	}
	const want = "     │ tokio::select · guard\n" +
		"  60 ┤ ╌╌╌╌╌████╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌\n" +
		"     │      ████                     axum\n" +
		"  30 ┤ ╌╌╌╌╌████╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌▄▄▄▄╌╌╌╌╌╌\n" +
		"     │      ████                     ████\n" +
		"   0 ┤ ▂▂▂▂ ████ ▃▃▃▃ ▁▁▁▁ ▁▁▁▁ ▃▃▃▃ ████ ▁▁▁▁"
	if got := drawn(c, 48, 6, mono); !strings.HasPrefix(got, want) {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	c.Captions = []histogram.Caption{{Bin: 2, Words: []string{"pin"}}, {Bin: 5, Words: []string{"axum"}}}
	c.Bins[2].Count = 24
	if grid := strings.Split(drawn(c, 48, 6, mono), "\n")[3]; grid != "  30 ┤ ╌╌╌╌╌████ pin ╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌▄▄▄▄╌╌╌╌╌╌" {
		t.Errorf("on the grid, got %q", grid)
	}
	if low := drawn(c, 48, 5, mono); strings.Contains(low, "axum") {
		t.Errorf("a low plot has captions:\n%s", low)
	}
}

func TestChart_CaptionWithoutWords(t *testing.T) {
	c := histogramOf(timebin.Month, "2024-01-01", 2, 60, 3)
	c.Captions = []histogram.Caption{{Bin: 1}}
	if got := drawn(c, 48, 6, mono); !strings.HasPrefix(got, "     │                Feb 2024\n") {
		t.Errorf("got\n%s", got)
	}
	c = histogramOf(timebin.Hour, "2024-01-01", 2, 60, 3)
	c.Zoned, c.Captions = true, []histogram.Caption{{Bin: 1}}
	if got := drawn(c, 60, 6, mono); !strings.Contains(got, "01:00–02:00 UTC\n") {
		t.Errorf("of an hour, got\n%s", got)
	}
}

// Right beside a higher bar a caption would be read as its end.
func TestChart_CaptionsBesideBars(t *testing.T) {
	c := histogramOf(timebin.Month, "2024-01-01", 2, 60, 24, 2, 2, 2, 2, 2)
	c.Captions = []histogram.Caption{{Bin: 2, Words: []string{"django"}}}
	if got := drawn(c, 48, 6, mono); !strings.Contains(got, "django") || strings.Contains(got, "█django") {
		t.Errorf("got\n%s", got)
	}
}

// Without eighths of cells, less than half of one is not drawn, and leaves no gap below a caption.
func TestChart_CaptionsOfWholeCells(t *testing.T) {
	c := histogramOf(timebin.Month, "2024-01-01", 20, 2, 2, 12)
	c.Captions = []histogram.Caption{{Bin: 3, Words: []string{"axum"}}}
	const want = "     | ######                   axum\n" +
		"  10 + ######------------------||||||--\n"
	if got := drawn(c, 40, 8, ascii); !strings.Contains(got, want) {
		t.Errorf("got\n%s\nwant in it\n%s", got, want)
	}
}

// A plot has a line free above its bars, or half of one below other bars, and one alone. The bars have it where, without
// it, no line would stand for half of their scale.
func TestChart_HeadLine(t *testing.T) {
	stew := []histogram.Caption{{Bin: 1, Words: []string{"stew"}}}
	for _, test := range []struct {
		name     string
		rows     int
		under    bool
		captions []histogram.Caption
		want     string // how the first lines begin
	}{
		{"an odd number of lines", 7, false, nil, "  20 ┤"},
		{"an even one", 8, false, nil, "     │\n  20 ┤"},
		{"with a caption", 8, false, stew, "     │                  stew\n  20 ┤"},
		{"few lines with a caption", 7, false, stew, "     │                  stew\n  20 ┤"},
		{"below other bars", 7, true, nil, "  30 ┤"},
		{"an even number below other bars", 8, true, nil, "     │\n  20 ┤"},
	} {
		c := histogramOf(timebin.Month, "2024-01-01", 10, 20)
		c.Under, c.Captions = test.under, test.captions
		if got := drawn(c, 40, test.rows, mono); !strings.HasPrefix(got, test.want) {
			t.Errorf("%s: got\n%s", test.name, got)
		}
	}
}

// A caption over the area leaves no hole in it.
func TestChart_CaptionsKeepTheArea(t *testing.T) {
	c := histogramOf(timebin.Month, "2024-01-01", 1, 1, 4, 1, 1, 8)
	for i := range c.Bins {
		c.Bins[i].Baseline = 10
	}
	c.Baselined, c.Captions = true, []histogram.Caption{{Bin: 2, Words: []string{"axum"}}}
	th := theme.New(theme.Dark, colorprofile.TrueColor)
	if got := strings.Join(c.View(60, 9, th), "\n"); !strings.Contains(got, th.Ground.Under(th.Dim.Render("axum"))) {
		t.Errorf("the caption has the ground of the screen:\n%s", got)
	}
}

// Captions that would stand against each other are not read as one: the less important one is left out.
func TestChart_CaptionsKeepApart(t *testing.T) {
	c := histogramOf(timebin.Month, "2024-01-01", 2, 2, 60, 48, 2, 2, 2, 40)
	c.Captions = []histogram.Caption{{Bin: 2, Words: []string{"first of two"}}, {Bin: 3, Words: []string{"second of two"}}}
	if got := drawn(c, 40, 8, mono); !strings.Contains(got, "first of two") || strings.Contains(got, "second") {
		t.Errorf("got\n%s", got)
	}
	c.Captions[1].Bin = 7
	if got := drawn(c, 80, 8, mono); !strings.Contains(got, "first of two") || !strings.Contains(got, "second") {
		t.Errorf("apart, got\n%s", got)
	}
	c.Bins[7].Count = 60
	const want = "first of two                           second of two\n"
	if got := drawn(c, 80, 8, mono); !strings.Contains(got, want) {
		t.Errorf("apart in one line, got\n%s", got)
	}
}

// A caption stands right above its bar, as near to its middle as there is room, rather with one word than far from there.
func TestChart_CaptionsNearTheirBars(t *testing.T) {
	c := histogramOf(timebin.Month, "2024-01-01", 1, 1, 1, 1, 1, 1, 16, 2, 2, 40, 1)
	for _, test := range []struct {
		words  []string
		higher int // bin
		want   string
	}{
		{[]string{"hotel", "changes"}, 9, "╌ hotel · changes ╌╌╌███"},
		{[]string{"hotel", "changes"}, 8, "╌ hotel · changes ███"},
		{[]string{"hotel", "changes"}, 7, "╌ hotel ███"},
		{[]string{"accommodation"}, 7, "╌ accommodation ███"},
	} {
		for i := 7; i < 10; i++ {
			c.Bins[i].Count = 2
		}
		c.Bins[test.higher].Count = 40
		c.Captions = []histogram.Caption{{Bin: 6, Words: test.words}}
		if line := strings.Split(drawn(c, 60, 8, mono), "\n")[4]; !strings.Contains(line, test.want) {
			t.Errorf("%s left of bin %d: got %q, want %q in it", test.words, test.higher, line, test.want)
		}
	}
}

// Captions change nothing but cells without a bar, whatever is counted, and fill no line beyond its width.
func TestChart_CaptionsLeaveBarsAlone(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		counts := rapid.SliceOfN(rapid.IntRange(0, 40), 1, 60).Draw(t, "counts")
		width, rows := rapid.IntRange(20, 130).Draw(t, "width"), rapid.IntRange(4, 16).Draw(t, "rows")
		c := histogramOf(timebin.Month, "2020-01-01", counts...)
		c.Captions = []histogram.Caption{{Words: []string{strings.Repeat("too long", width)}}} // for which a line is left free
		bare := c.View(width, rows, mono)
		words := rapid.SliceOfN(rapid.SampledFrom([]string{"rust", "async cancellation", "庭", "e\u0301te\u0301", "🍅"}), 1, 3)
		for range rapid.IntRange(1, 5).Draw(t, "captions") {
			at := rapid.IntRange(0, len(counts)-1).Draw(t, "bin")
			c.Captions = append(c.Captions, histogram.Caption{Bin: at, Words: words.Draw(t, "words")})
		}
		for i, line := range c.View(width, rows, mono) {
			if theme.Width(line) != width {
				t.Fatalf("line %d has %d cells, want %d:\n%s", i, theme.Width(line), width, line)
			}
			if before, after := bars(bare[i]), bars(line); before != after {
				t.Fatalf("the bars of line %d were %q and are %q", i, before, after)
			}
		}
	})
}

// bars returns what a line has of bars.
func bars(line string) string {
	return strings.Map(func(r rune) rune {
		if strings.ContainsRune("▁▂▃▄▅▆▇█", r) {
			return r
		}
		return -1
	}, ansi.Strip(line))
}

// From five lines on, one stands for half of the scale, and is numbered.
func TestChart_NumbersHalfOfItsScale(t *testing.T) {
	c := histogramOf(timebin.Month, "2024-01-01", 8, 3)
	for rows := 5; rows <= 16; rows++ {
		numbers := 0
		for _, line := range c.View(60, rows, mono)[:rows] {
			if strings.Trim(ansi.Strip(line)[:5], " ") != "" {
				numbers++
			}
		}
		if numbers != 3 {
			t.Errorf("%d lines have %d numbers", rows, numbers)
		}
	}
}

// In color, bars of ASCII do not look like the axis. Without color, glyphs tell which ones are chosen.
func TestChart_ASCIIBars(t *testing.T) {
	c := histogramOf(timebin.Month, "2024-01-01", 10, 20)
	if got := drawn(c, 40, 4, theme.New(theme.ASCII, colorprofile.TrueColor)); strings.Contains(got, "||") {
		t.Errorf("in color, got\n%s", got)
	}
	if got := drawn(c, 40, 4, ascii); !strings.Contains(got, "||") || !strings.Contains(got, "##") {
		t.Errorf("without color, got\n%s", got)
	}
}

// The bin under the cursor, which the rail marks below the last row, has one color in all of them.
func TestRowsView_MarksTheCursor(t *testing.T) {
	dark := theme.New(theme.Dark, colorprofile.TrueColor)
	c := histogramOf(timebin.Month, "2024-01-01", 4, 4, 4)
	c.Cursor = 1
	lines := c.RowsView([]histogram.Row{
		{Name: "one", Values: []float64{4, 4, 4}}, {Name: "none", Series: 1, Values: []float64{4, 0, 4}},
	}, false, 60, 5, dark)
	for i, line := range lines[:2] {
		if !strings.Contains(line, dark.Selected.Before) {
			t.Errorf("row %d is %q", i, line)
		}
	}
}
