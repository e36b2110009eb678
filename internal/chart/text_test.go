package chart_test

import (
	"fmt"
	"math"
	"regexp"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/charmbracelet/x/ansi"
	"pgregory.net/rapid"

	"lens/internal/chart"
	"lens/retrieval/timebin"
)

// histogram returns a histogram with the given counts, starting with the bin that contains the date from.
func histogram(unit, from string, counts ...int) chart.Histogram {
	bin, err := timebin.Parse(unit)
	if err != nil {
		panic(err)
	}
	date, err := time.Parse(time.DateOnly, from)
	if err != nil {
		panic(err)
	}
	h := chart.Histogram{Unit: bin}
	start := bin.Floor(date.Unix())
	for _, n := range counts {
		end := bin.Next(start)
		h.Bins = append(h.Bins, chart.Bin{Start: start, End: end, Count: n, Baseline: n})
		start = end
	}
	return h
}

// series names histograms, and counts what they show.
func series(names []string, histograms ...chart.Histogram) []chart.Series {
	all := make([]chart.Series, len(names))
	for i, h := range histograms {
		all[i] = chart.Series{Histogram: h, Name: names[i]}
		for _, b := range h.Bins {
			all[i].Total += b.Count
		}
		all[i].Remark = fmt.Sprintf("%d turns", all[i].Total)
	}
	return all
}

// drawn parses a chart: the height of each column in rows above 0, and the count that a row stands for.
func drawn(t rapid.TB, chart string) (heights []int, step int) {
	t.Helper()
	var rows [][]rune
	for line := range strings.Lines(chart) {
		left, right, isPlot := cutAxis(line)
		if !isPlot {
			break
		}
		rows = append(rows, []rune(right))
		if len(rows) == 1 {
			if _, err := fmt.Sscan(left, &step); err != nil {
				t.Fatalf("no label in %q", line)
			}
		}
	}
	step /= len(rows) - 1
	for y, row := range rows {
		for x, c := range row {
			for len(heights) <= x {
				heights = append(heights, -1)
			}
			if strings.ContainsRune("─╭╰", c) { // the row in which a line leaves the column
				heights[x] = len(rows) - 1 - y
			}
		}
	}
	return heights, step
}

func cutAxis(line string) (left, right string, ok bool) {
	line = strings.TrimRight(line, "\n")
	for _, axis := range []string{"┤", "┼"} {
		if left, right, ok = strings.Cut(line, axis); ok {
			return left, right, true
		}
	}
	return "", "", false
}

func TestText_HeightsMatchCounts(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		counts := rapid.SliceOfN(rapid.IntRange(0, 5000), 1, 60).Draw(t, "counts")
		opts := chart.Options{Width: rapid.IntRange(80, 200).Draw(t, "width"), Height: rapid.IntRange(2, 20).Draw(t, "height")}
		heights, step := drawn(t, chart.Text(histogram("month", "2020-01-15", counts...), opts))
		if len(heights) < len(counts) {
			t.Fatalf("%d columns for %d bins", len(heights), len(counts))
		}
		for i, n := range counts {
			for c := i * len(heights) / len(counts); c < (i+1)*len(heights)/len(counts); c++ {
				if want := int(math.Floor(float64(n)/float64(step) + 0.5)); heights[c] != want {
					t.Fatalf("bin %d of %d with %d turns, step %d: column %d: got height %d, want %d", i, len(counts), n, step, c,
						heights[c], want)
				}
			}
		}
	})
}

func TestText_WidthAndTicks(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		counts := rapid.SliceOfN(rapid.IntRange(0, 99), 1, 400).Draw(t, "counts")
		bin := rapid.SampledFrom([]string{"hour", "day", "3d", "week", "month", "quarter", "year"}).Draw(t, "bin")
		width := rapid.IntRange(40, 160).Draw(t, "width")
		chart := chart.Text(histogram(bin, "2019-11-06", counts...), chart.Options{Width: width})
		lines := strings.Split(chart, "\n")
		for i, line := range lines {
			if strings.Contains(line, "highest of") {
				continue // a sentence may be longer than a chart
			}
			if got := ansi.StringWidth(line); got > width {
				t.Fatalf("got %d cells, want at most %d in %q", got, width, line)
			}
			if strings.Contains(line, "└") {
				checkTicks(t, []rune(line), lines[i+1])
			}
		}
	})
}

var label = regexp.MustCompile(`[0-9]{4}(-[0-9Q]+)*( [0-9:]{5})?`)

func checkTicks(t rapid.TB, bar []rune, labels string) {
	t.Helper()
	found := label.FindAllStringIndex(labels, -1)
	for _, at := range found {
		if at[0] >= len(bar) || bar[at[0]] != '┬' {
			t.Fatalf("a label without a tick:\n%s\n%s", string(bar), labels)
		}
	}
	if ticks := strings.Count(string(bar), "┬"); ticks != len(found) || ticks == 0 {
		t.Fatalf("%d ticks, %d labels:\n%s\n%s", ticks, len(found), string(bar), labels)
	}
}

func TestOptions_ASCII(t *testing.T) {
	h := histogram("week", "2024-01-01", 1, 5, 2, 0, 7)
	h.Bins[0].Baseline = 40
	h.Peaks = []int{1}
	long := strings.Repeat("long ", 30)
	three, four := series([]string{"a", "b", long}, h, h, h), series([]string{"a", "b", "c", long}, h, h, h, h)
	opts := chart.Options{ASCII: true, Shares: true, Width: 60}
	all := chart.Text(h, opts) + chart.Comparison(three, opts) + chart.Comparison(four, opts)
	for i, r := range all {
		if r >= utf8.RuneSelf || r < ' ' && r != '\n' {
			t.Fatalf("%q at %d in\n%s", r, i, all)
		}
	}
}

func TestText_WithoutBins(t *testing.T) {
	if got := chart.Text(chart.Histogram{}, chart.Options{}); got != "" {
		t.Errorf("got %q", got)
	}
	if got := chart.Comparison([]chart.Series{{Name: "a"}}, chart.Options{}); got != "" {
		t.Errorf("got %q", got)
	}
}

func TestOptions_Color(t *testing.T) {
	h := histogram("day", "2024-01-01", 1, 2, 3)
	plain, colored := chart.Text(h, chart.Options{}), chart.Text(h, chart.Options{Color: true})
	if strings.Contains(plain, "\x1b") || !strings.Contains(colored, "\x1b[") || ansi.Strip(colored) != plain {
		t.Errorf("got\n%q\n%q", plain, colored)
	}
}

func TestText_MoreBinsThanColumns(t *testing.T) {
	counts := make([]int, 300)
	counts[151] = 7
	chart := chart.Text(histogram("day", "2024-01-01", counts...), chart.Options{Width: 40})
	heights, step := drawn(t, chart)
	highest := 0
	for _, h := range heights {
		highest = max(highest, h)
	}
	if highest*step != 7 || !strings.Contains(chart, "each column shows the highest of up to 9 day bins") {
		t.Errorf("step %d, heights %v\n%s", step, heights, chart)
	}
}

func TestOptions_Columns(t *testing.T) {
	for _, highest := range []int{0, 9, 999, 123_456} {
		opts := chart.Options{Width: 70}
		counts := make([]int, opts.Columns(highest))
		counts[0] = highest
		if chart := chart.Text(histogram("day", "2024-01-01", counts...), opts); strings.Contains(chart, "highest of") {
			t.Errorf("%d columns are too many:\n%s", len(counts), chart)
		}
	}
}

func ExampleText() {
	fmt.Print("counts\n",
		chart.Text(histogram("month", "2024-01-01", 2, 10, 4, 0, 1), chart.Options{Width: 50, Height: 6}))
	// Output:
	// counts
	//   10 ┤        ╭────────╮
	//    8 ┤        │        │
	//    6 ┤        │        │
	//    4 ┤        │        ╰────────╮
	//    2 ┼────────╯                 │        ╭────────
	//    0 ┤                          ╰────────╯
	//      └┬───────┬────────┬────────┬────────┬────────
	//       2024-01 2024-02  2024-03  2024-04  2024-05
	//     n 2       10       4        0        1
}

func ExampleComparison() {
	all := series([]string{"sourdough", "kubernetes"},
		histogram("month", "2024-01-01", 4, 3, 1, 0), histogram("month", "2024-01-01", 0, 1, 4, 4))
	fmt.Print("turns near each query\n", chart.Comparison(all, chart.Options{Width: 42, Height: 5}))
	// Output:
	// turns near each query
	//    4 ┼─────────╮        ┏━━━━━━━━━━━━━━━━━
	//    3 ┤         ╰────────┃
	//    2 ┤                  ┃
	//    1 ┤         ┏━━━━━━━━┛────────╮
	//    0 ┼━━━━━━━━━┛                 ╰────────
	//      └┬────────┬────────┬────────┬────────
	//       2024-01  2024-02  2024-03  2024-04
	//       ── sourdough  8 turns
	//       ━━ kubernetes  9 turns
}

func ExampleComparison_ofMany() {
	var all []chart.Histogram
	for i := range 4 {
		all = append(all, histogram("year", "2020-01-01", i, 1, 8-i, 0, 4))
	}
	names := []string{"a", "bee", "sea", "日本語"}
	fmt.Print("turns near each query\n", chart.Comparison(series(names, all...), chart.Options{Width: 60}))
	// Output:
	// turns near each query
	// a                ▁▁▁▁▁▁▁▁▁█████████         ▄▄▄▄▄▄▄▄▄   13
	// bee     ▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▇▇▇▇▇▇▇▇▇         ▄▄▄▄▄▄▄▄▄   13
	// sea     ▂▂▂▂▂▂▂▂▂▁▁▁▁▁▁▁▁▁▆▆▆▆▆▆▆▆▆         ▄▄▄▄▄▄▄▄▄   13
	// 日本語  ▃▃▃▃▃▃▃▃▃▁▁▁▁▁▁▁▁▁▅▅▅▅▅▅▅▅▅         ▄▄▄▄▄▄▄▄▄   13
	//        └┬────────┬────────┬────────┬────────┬────────
	//         2020     2021     2022     2023     2024
}

func TestText_SharesAndPeaks(t *testing.T) {
	h := histogram("month", "2024-01-01", 2, 9, 2, 2)
	for i := range h.Bins {
		h.Bins[i].Baseline = 20
	}
	h.Peaks = []int{1}
	for _, c := range []struct {
		ascii       bool
		share, peak string
	}{
		{false, "share ▂▂▂▂▂▂▂▂▂█████████▂▂▂▂▂▂▂▂▂▂▂▂▂▂▂▂▂▂", " peak          ▲▲▲▲▲▲▲▲▲"},
		{true, "share :::::::::@@@@@@@@@::::::::::::::::::", " peak          ^^^^^^^^^"},
	} {
		lines := strings.Split(strings.TrimSuffix(chart.Text(h, chart.Options{Shares: true, ASCII: c.ascii}), "\n"), "\n")
		if got := lines[len(lines)-2]; got != c.share {
			t.Errorf("got %q, want %q", got, c.share)
		}
		if got := lines[len(lines)-1]; got != c.peak {
			t.Errorf("got %q, want %q", got, c.peak)
		}
	}
	h.Peaks = nil
	if drawing := chart.Text(h, chart.Options{}); strings.Contains(drawing, "peak") {
		t.Errorf("a row of peaks without a peak:\n%s", drawing)
	}
}

func TestText_ComparedChartsShareScale(t *testing.T) {
	long, short := histogram("month", "2023-01-01", 20, 4, 4, 4, 4, 4), histogram("month", "2024-01-01", 4, 2, 3)
	opts := chart.Options{Width: 63, Height: 5, ComparedWith: []chart.Histogram{long, short}}
	top := func(chart string) string { return strings.Fields(chart)[0] }
	one, other := chart.Text(long, opts), chart.Text(short, opts)
	if top(one) != "20" || top(other) != "20" {
		t.Errorf("the scales end at %s and %s:\n%s%s", top(one), top(other), one, other)
	}
	width := func(chart string) int {
		_, axis, _ := strings.Cut(chart, "└")
		line, _, _ := strings.Cut(axis, "\n")
		return len([]rune(line))
	}
	if width(one) != 2*width(other) || width(other) == 0 {
		t.Errorf("6 bins take %d columns, 3 take %d:\n%s%s", width(one), width(other), one, other)
	}
}

func TestText_ComparedRowsShareScale(t *testing.T) {
	busy, calm := histogram("month", "2023-01-01", 4, 4), histogram("month", "2024-01-01", 4, 4)
	for i := range busy.Bins {
		busy.Bins[i].Baseline, calm.Bins[i].Baseline = 80, 10
	}
	rows := func(h chart.Histogram, others ...chart.Histogram) (all, share string) {
		for line := range strings.Lines(chart.Text(h, chart.Options{ASCII: true, Shares: true, ComparedWith: others})) {
			switch fields := strings.Fields(line); fields[0] {
			case "all":
				all = fields[1][:1]
			case "share":
				share = fields[1][:1]
			}
		}
		return all, share
	}
	for _, c := range []struct {
		h                  chart.Histogram
		others             []chart.Histogram
		wantAll, wantShare string
	}{
		{calm, nil, "@", "@"},
		{busy, []chart.Histogram{busy, calm}, "@", "."},
		{calm, []chart.Histogram{busy, calm}, ".", "@"},
	} {
		if all, share := rows(c.h, c.others...); all != c.wantAll || share != c.wantShare {
			t.Errorf("got all %q and share %q, want %q and %q", all, share, c.wantAll, c.wantShare)
		}
	}
}
