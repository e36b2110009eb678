package tui

import (
	"fmt"
	"sort"

	"lens/retrieval"
	"lens/retrieval/timebin"
	"lens/tui/theme"
)

// The zoom state machine: window, bins, cursor and brush. It is pure: every operation returns the next state, and a
// sentence if it refuses.
//
//	idle --brush--> brushing --brush or cancel--> idle
//	brushing or idle --enter--> idle, zoomed to the brush or the cursor's bin
//
// The cursor is a time, not an index, so that changing bins or the window does not move it.

// span is the half-open window [from, to) in UTC seconds.
type span struct{ from, to int64 }

func (s span) width() int64           { return s.to - s.from }
func (s span) holds(t int64) bool     { return s.from <= t && t < s.to }
func (s span) covers(inner span) bool { return s.from <= inner.from && inner.to <= s.to }
func (s span) clip(to span) span      { return span{max(s.from, to.from), min(s.to, to.to)} }

// view is the window and the bins of the histogram, as the history remembers them.
type view struct {
	span
	bin    timebin.Bin // auto, or the chosen unit
	cursor int64
}

// zoom is the state. The zero value is empty.
type zoom struct {
	view
	all     span // the whole archive, in whole days
	columns int  // of the plot
	anchor  int64
	brushes bool
}

const (
	hourLong = 3600
	dayLong  = 24 * hourLong
)

var hourly = timebin.Bin{Unit: timebin.Hour, N: 1}

// newZoom shows the whole archive, with the cursor at its end. first and last are the times of its first and last turn.
func newZoom(first, last int64, columns int) zoom {
	day := timebin.Bin{Unit: timebin.Day, N: 1}
	all := span{day.Floor(first), day.Next(last)}
	return zoom{view: view{span: all, cursor: last}, all: all, columns: max(1, columns)}
}

// grow adapts to a changed archive: it keeps the window, or the whole archive if that was in view.
func (z zoom) grow(o *retrieval.Overview) zoom {
	if o.First == nil || o.Last == nil {
		return z
	}
	whole := newZoom(o.First.Unix(), o.Last.Unix(), z.columns)
	if z.isAll() || z.span.clip(whole.all).width() <= 0 {
		whole.bin, whole.cursor = z.bin, max(whole.from, min(z.cursor, whole.to-1))
		return whole
	}
	z.all = whole.all
	return z.look(z.span)
}

// isEmpty reports whether the view has no width, as in an archive without dates.
func (z zoom) isEmpty() bool { return z.width() <= 0 }

// isAll reports whether the whole archive is in view.
func (z zoom) isAll() bool { return z.span == z.all }

// unit returns the bins shown: the chosen ones if each has a column, else the finest that fit.
func (z zoom) unit() timebin.Bin {
	if !z.bin.IsAuto() && z.fits(z.bin) {
		return z.bin
	}
	return timebin.Auto(z.from, z.to-1, z.columns)
}

func (z zoom) fits(bin timebin.Bin) bool {
	n, ok := z.count(bin)
	return ok && n <= z.columns
}

// count returns how many bins of a unit cover the view; false if there are too many to count.
func (z zoom) count(bin timebin.Bin) (int, bool) {
	edges, err := bin.Edges(z.from, z.to)
	return len(edges) - 1, err == nil
}

// edges returns the edges of the bins that cover the view, snapped outward.
func (z zoom) edges() []int64 {
	if z.isEmpty() {
		return nil
	}
	edges, err := z.unit().Edges(z.from, z.to)
	if err != nil {
		return nil // cannot happen: bins that fit the columns can be counted
	}
	return edges
}

// binAt returns the index of the bin that contains t.
func binAt(edges []int64, t int64) int {
	i := sort.Search(len(edges), func(i int) bool { return edges[i] > t }) - 1
	return max(0, min(i, len(edges)-2))
}

// moveTo moves the cursor to bin i, clamped to the view.
func (z zoom) moveTo(i int) zoom {
	edges := z.edges()
	if len(edges) < 2 {
		return z
	}
	i = max(0, min(i, len(edges)-2))
	if binAt(edges, z.cursor) != i {
		z.cursor = max(edges[i], z.from)
	}
	return z
}

// move moves the cursor by n bins.
func (z zoom) move(n int) zoom { return z.moveTo(binAt(z.edges(), z.cursor) + n) }

// brush begins a brush at the cursor, or ends it.
func (z zoom) brush() zoom {
	z.brushes, z.anchor = !z.brushes && !z.isEmpty(), z.cursor
	return z
}

// brushed returns the half-open range of bins from the anchor to the cursor; false without a brush.
func (z zoom) brushed() (from, to int, ok bool) {
	if !z.brushes {
		return 0, 0, false
	}
	edges := z.edges()
	a, b := binAt(edges, z.anchor), binAt(edges, z.cursor)
	return min(a, b), max(a, b) + 1, true
}

// enter zooms to the brush or the cursor's bin.
func (z zoom) enter() (zoom, string) {
	edges := z.edges()
	if len(edges) < 2 {
		return z, "Nothing to zoom into"
	}
	from, to, ok := z.brushed()
	if !ok {
		from = binAt(edges, z.cursor)
		to = from + 1
	}
	next := span{edges[from], edges[to]}.clip(z.span)
	if next == z.span {
		return z.idle(), "Already in view (o zooms out)"
	}
	return z.look(next), ""
}

func (z zoom) idle() zoom {
	z.brushes = false
	return z
}

// look shows a window, clipped to the archive and widened to whole hours, and keeps the cursor if it is in view.
func (z zoom) look(at span) zoom {
	at = span{hourly.Floor(at.from), ceilHour(at.to)}.clip(z.all)
	if at.width() <= 0 {
		return z
	}
	z.span = at
	z.cursor = max(at.from, min(z.cursor, at.to-1))
	return z.idle()
}

// scale zooms to num/den of the width. The cursor keeps its position on the screen.
func (z zoom) scale(num, den int64) (zoom, string) {
	if z.isEmpty() {
		return z, "Nothing to zoom into"
	}
	if num < den && z.width() <= hourLong {
		return z, "Can't zoom in further"
	}
	width := max(hourLong, z.width()*num/den)
	if width >= z.all.width() {
		if z.isAll() {
			return z, "Can't zoom out further"
		}
		return z.look(z.all), ""
	}
	grain := z.grain(width)
	share := float64(z.cursor-z.from) / float64(z.width())
	width = max(grain, (width+grain/2)/grain*grain)
	from := z.all.from + floorTo(z.cursor-int64(share*float64(width))-z.all.from, grain)
	from = max(z.all.from, min(from, z.all.to-width))
	return z.look(span{from, from + width}), ""
}

// pan moves the view by half its width, within the archive.
func (z zoom) pan(direction int64) (zoom, string) {
	grain := z.grain(z.width())
	step := direction * max(grain, z.width()/2/grain*grain)
	from := max(z.all.from, min(z.from+step, z.all.to-z.width()))
	if from == z.from {
		return z, "The archive ends here"
	}
	return z.look(span{from, from + z.width()}), ""
}

// grain returns the rounding for the ends of a view of a width: hours, or days if the hours exceed the columns.
func (z zoom) grain(width int64) int64 {
	if width > int64(z.columns)*hourLong {
		return dayLong
	}
	return hourLong
}

// snap widens a window to whole grains, so that "last 90d" does not begin in the middle of a day.
func (z zoom) snap(at span) span {
	grain := z.grain(at.width())
	return span{floorTo(at.from, grain), floorTo(at.to+grain-1, grain)}
}

// finer selects the next finer bins, unless they exceed the columns.
func (z zoom) finer() (zoom, string) {
	if z.isEmpty() {
		return z, "No dates"
	}
	finer, ok := z.unit().Finer()
	if !ok {
		return z, "Hourly bins are the finest"
	}
	switch n, countable := z.count(finer); {
	case !countable:
		most := theme.Number(timebin.MaxBins)
		return z, fmt.Sprintf("%s bins need over %s columns. Zoom in first", adjective(finer), most)
	case n > z.columns:
		return z, fmt.Sprintf("%s bins need %s columns. Zoom in first", adjective(finer), theme.Number(n))
	}
	z.bin = finer
	return z.idle(), ""
}

// adjective names the bins of a unit: "Hourly".
func adjective(bin timebin.Bin) string {
	switch bin.Unit {
	case timebin.Hour:
		return "Hourly"
	case timebin.Day:
		return "Daily"
	case timebin.Week:
		return "Weekly"
	case timebin.Month:
		return "Monthly"
	case timebin.Quarter:
		return "Quarterly"
	}
	return "Yearly"
}

// coarser selects the next coarser bins.
func (z zoom) coarser() (zoom, string) {
	if z.isEmpty() {
		return z, "No dates"
	}
	coarser, ok := z.unit().Coarser()
	if !ok {
		return z, "Yearly bins are the coarsest"
	}
	z.bin = coarser
	return z.idle(), ""
}

// auto selects the finest bins that fit, now and after later changes.
func (z zoom) auto() zoom {
	z.bin = timebin.Bin{}
	return z.idle()
}

func ceilHour(t int64) int64 { return hourly.Floor(t + hourLong - 1) }

func floorTo(t, grain int64) int64 {
	if t < 0 {
		t -= grain - 1
	}
	return t / grain * grain
}
