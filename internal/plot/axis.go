package plot

import (
	"fmt"
	"slices"
	"strings"

	"lens/retrieval"
	"lens/retrieval/timebin"
)

// axis lays the bins of a histogram over columns.
type axis struct {
	bin     timebin.Bin // zero when the histogram's cannot be read: then edges are named by their dates
	starts  []int64     // of the bins, UTC seconds
	columns int
}

// newAxis gives the bins of h as many of the columns as they can use.
func newAxis(h retrieval.Histogram, columns int) axis {
	a := axis{columns: max(min(columns, len(h.Buckets)*widest), 1)}
	a.bin, _ = timebin.Parse(h.Bin)
	for _, b := range h.Buckets {
		a.starts = append(a.starts, b.Start.Unix())
	}
	return a
}

// column returns the first column of bin i; that of the bin after the last is the number of columns.
func (a axis) column(i int) int { return i * a.columns / len(a.starts) }

// spread returns one value a column: that of its bin, or the highest where several bins share it.
func (a axis) spread(values []int) []int {
	out := make([]int, a.columns)
	for i, v := range values {
		from := a.column(i)
		for c := from; c < max(a.column(i+1), from+1); c++ {
			out[c] = max(out[c], v)
		}
	}
	return out
}

// draw returns the axis line with its ticks, and the labels below them.
func (a axis) draw(gutter int, opts Options) string {
	ticks := a.ticks()
	bar := []rune(strings.Repeat("─", a.columns))
	var labels strings.Builder
	for _, t := range ticks {
		bar[t.column] = '┬'
		labels.WriteString(strings.Repeat(" ", t.column-labels.Len()) + t.label)
	}
	pad := strings.Repeat(" ", gutter)
	return inASCII(pad[1:]+"└"+string(bar)+"\n", opts) + pad + labels.String() + "\n"
}

// numbers writes each count below its bin, or nothing when one has no room.
func (a axis) numbers(counts []int, gutter int) string {
	var out strings.Builder
	for i, n := range counts {
		number := fmt.Sprint(n)
		if len(number)+2 > a.column(i+1)-a.column(i) {
			return ""
		}
		out.WriteString(strings.Repeat(" ", a.column(i)-out.Len()) + number)
	}
	return row("n", out.String(), gutter)
}

// flags marks the columns of the bins that lie in peaks.
func (a axis) flags(peaks []retrieval.Peak, opts Options) string {
	flag := '▲'
	if opts.ASCII {
		flag = '^'
	}
	out := []rune(strings.Repeat(" ", a.columns))
	for i, start := range a.starts {
		for _, p := range peaks {
			if start < p.Start.Unix() || start >= p.End.Unix() {
				continue
			}
			from := min(a.column(i), a.columns-1)
			for c := from; c < max(a.column(i+1), from+1); c++ {
				out[c] = flag
			}
		}
	}
	return string(out)
}

// caption says what a column is, where that is not one bin.
func (a axis) caption(bin string, gutter int) string {
	if len(a.starts) <= a.columns {
		return ""
	}
	return fmt.Sprintf("%sa column is the highest of up to %d %s bins\n", strings.Repeat(" ", gutter), (len(a.starts)+a.columns-1)/a.columns, bin)
}

// tick is a label and the column where its bin begins.
type tick struct {
	column int
	label  string
}

// ticks returns the labels of the finest rung of the ladder at which none collides: every bin, every first of a day, week, month …
func (a axis) ticks() []tick {
	for _, rung := range a.rungs() {
		if ticks := a.ticksOf(rung); fits(ticks) {
			return ticks
		}
	}
	return a.thinned()
}

func (a axis) rungs() []timebin.Bin {
	if a.bin.IsAuto() {
		return nil
	}
	rungs := []timebin.Bin{a.bin}
	for b, ok := a.bin.Coarser(); ok; b, ok = b.Coarser() {
		rungs = append(rungs, b)
	}
	return rungs
}

// ticksOf labels the bins that are the first of their stretch of rung, and the very first of all where it leaves room.
func (a axis) ticksOf(rung timebin.Bin) []tick {
	var ticks []tick
	for i, start := range a.starts {
		if i > 0 && rung.Floor(start) == rung.Floor(a.starts[i-1]) {
			continue
		}
		ticks = append(ticks, tick{a.column(i), a.label(start, rung)})
	}
	if len(ticks) > 1 && !fits(ticks[:2]) && rung != a.bin {
		ticks = ticks[1:] // a stretch that was cut off by the edge
	}
	return a.within(ticks)
}

// thinned labels the first of every year that leaves room, when even years collide.
func (a axis) thinned() []tick {
	all := a.ticksOf(timebin.Bin{Unit: timebin.Year, N: 1})
	var kept []tick
	for _, t := range all {
		if fits(append(slices.Clone(kept), t)) {
			kept = append(kept, t)
		}
	}
	return kept
}

// label names the bin that begins at start. At midnight an hour is named by its day when days are what is labelled.
func (a axis) label(start int64, rung timebin.Bin) string {
	if a.bin.IsAuto() || a.bin.Unit == timebin.Hour && rung != a.bin {
		return timebin.Bin{Unit: timebin.Day, N: 1}.Label(start)
	}
	return a.bin.Label(start)
}

// within drops labels that would stand out on the right, but for a first one.
func (a axis) within(ticks []tick) []tick {
	for len(ticks) > 1 {
		last := ticks[len(ticks)-1]
		if last.column+len(last.label) <= a.columns {
			break
		}
		ticks = ticks[:len(ticks)-1]
	}
	return ticks
}

// fits reports whether a space is left between labels, two where a label has one inside.
func fits(ticks []tick) bool {
	for i := 1; i < len(ticks); i++ {
		before := ticks[i-1]
		if ticks[i].column <= before.column+len(before.label)+strings.Count(before.label, " ") {
			return false
		}
	}
	return true
}
