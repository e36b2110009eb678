package chart

import (
	"fmt"
	"slices"
	"strings"

	"lens/retrieval"
	"lens/retrieval/timebin"
)

// axis distributes the bins of a histogram over columns.
type axis struct {
	bin     timebin.Bin // zero if the histogram's bin cannot be parsed: then labels are dates
	starts  []int64     // of the bins, UTC seconds
	columns int
}

// newAxis returns an axis for the bins of h with at most columns columns.
func newAxis(h retrieval.Histogram, columns int) axis {
	a := axis{columns: max(min(columns, len(h.Bins)*maxBinWidth), 1)}
	a.bin, _ = timebin.Parse(h.Bin)
	for _, b := range h.Bins {
		a.starts = append(a.starts, b.Start.Unix())
	}
	return a
}

// column returns the first column of bin i. For the index after the last it returns the number of columns.
func (a axis) column(i int) int { return i * a.columns / len(a.starts) }

// spread returns one value per column: that of its bin, or the highest if several bins share the column.
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

// draw returns the axis line with its ticks, and the line of labels below it.
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

// countRow returns the row of counts, each below its bin, or "" if one of them does not fit.
func (a axis) countRow(counts []int, gutter int) string {
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

// peakMarks marks the columns of the bins that lie in peaks.
func (a axis) peakMarks(peaks []retrieval.Peak, opts Options) string {
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

// caption explains the columns if they hold more than one bin, else it returns "".
func (a axis) caption(bin string, gutter int) string {
	if len(a.starts) <= a.columns {
		return ""
	}
	format := "each column shows the highest of up to %d %s bins\n"
	if bin != "" && bin[0] >= '0' && bin[0] <= '9' { // a multiple, such as 3h
		format = "each column shows the highest of up to %d bins of %s\n"
	}
	share := (len(a.starts) + a.columns - 1) / a.columns
	return strings.Repeat(" ", gutter) + fmt.Sprintf(format, share, bin)
}

// tick is a label and the column where its bin begins.
type tick struct {
	column int
	label  string
}

// ticks returns the labels at the finest unit at which none collide: every bin, or the first bin of every day, week,
// month …
func (a axis) ticks() []tick {
	for _, unit := range a.tickUnits() {
		if ticks := a.ticksOf(unit); fits(ticks) {
			return ticks
		}
	}
	return a.sparseYears()
}

// tickUnits returns the units to label, from that of the bins to the coarsest.
func (a axis) tickUnits() []timebin.Bin {
	if a.bin.IsAuto() {
		return nil
	}
	units := []timebin.Bin{a.bin}
	for b, ok := a.bin.Coarser(); ok; b, ok = b.Coarser() {
		units = append(units, b)
	}
	return units
}

// ticksOf labels the first bin of every unit, and the very first bin if there is room.
func (a axis) ticksOf(unit timebin.Bin) []tick {
	var ticks []tick
	for i, start := range a.starts {
		if i > 0 && unit.Floor(start) == unit.Floor(a.starts[i-1]) {
			continue
		}
		ticks = append(ticks, tick{a.column(i), a.label(start, unit)})
	}
	if len(ticks) > 1 && !fits(ticks[:2]) && unit != a.bin {
		ticks = ticks[1:] // the edge cuts off the first unit
	}
	return a.dropOverhanging(ticks)
}

// sparseYears labels the first bin of those years that fit, if even years collide.
func (a axis) sparseYears() []tick {
	all := a.ticksOf(timebin.Bin{Unit: timebin.Year, N: 1})
	var kept []tick
	for _, t := range all {
		if fits(append(slices.Clone(kept), t)) {
			kept = append(kept, t)
		}
	}
	return kept
}

// label returns the label of the bin that begins at start. Hours are labeled by their day if unit is coarser than the
// bin.
func (a axis) label(start int64, unit timebin.Bin) string {
	if a.bin.IsAuto() || a.bin.Unit == timebin.Hour && unit != a.bin {
		return timebin.Bin{Unit: timebin.Day, N: 1}.Label(start)
	}
	return a.bin.Label(start)
}

// dropOverhanging drops labels that extend beyond the right edge, except the first one.
func (a axis) dropOverhanging(ticks []tick) []tick {
	for len(ticks) > 1 {
		last := ticks[len(ticks)-1]
		if last.column+len(last.label) <= a.columns {
			break
		}
		ticks = ticks[:len(ticks)-1]
	}
	return ticks
}

// fits reports whether there is a space between all labels: two spaces after a label that contains one.
func fits(ticks []tick) bool {
	for i := 1; i < len(ticks); i++ {
		before := ticks[i-1]
		if ticks[i].column <= before.column+len(before.label)+strings.Count(before.label, " ") {
			return false
		}
	}
	return true
}
