package tui

import (
	"fmt"
	"sort"

	"lens/retrieval"
	"lens/retrieval/timebin"
	"lens/tui/theme"
)

// The zoom state machine: which stretch of time is looked at, in which bins, where the cursor is and what is brushed. It is pure: every
// operation returns the next state, and a sentence when it refuses.
//
//	idle --brush--> brushing --brush or cancel--> idle
//	brushing or idle --enter--> idle, looking at what was brushed or at the cursor's bin
//
// The cursor is a time, never an index, so that no change of bins or of window moves it.

// span is the half-open stretch [from, to) of UTC seconds.
type span struct{ from, to int64 }

func (s span) width() int64           { return s.to - s.from }
func (s span) holds(t int64) bool     { return s.from <= t && t < s.to }
func (s span) covers(inner span) bool { return s.from <= inner.from && inner.to <= s.to }
func (s span) clip(to span) span      { return span{max(s.from, to.from), min(s.to, to.to)} }

// view is what the histogram shows: one entry of the history.
type view struct {
	span
	bin    timebin.Bin // auto, or the unit that was asked for
	cursor int64
}

// zoom is the machine's state. The zero value looks at nothing.
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

// newZoom looks at the whole archive, with the cursor at its end. first and last are the times of its first and last turn.
func newZoom(first, last int64, columns int) zoom {
	day := timebin.Bin{Unit: timebin.Day, N: 1}
	all := span{day.Floor(first), day.Next(last)}
	return zoom{view: view{span: all, cursor: last}, all: all, columns: max(1, columns)}
}

// grow looks at the same stretch of an archive that has changed; at all of it, if it was all.
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

// isEmpty reports whether there is no time to look at.
func (z zoom) isEmpty() bool { return z.width() <= 0 }

// isAll reports whether the whole archive is in view.
func (z zoom) isAll() bool { return z.span == z.all }

// unit returns the bins that are shown: those that were asked for where they have a column each, else the finest that do.
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

// count returns how many bins of a unit cover the view; false beyond what can be counted.
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
		return nil // beyond any archive: decades of hours never fit the columns
	}
	return edges
}

// binAt returns the index of t's bin.
func binAt(edges []int64, t int64) int {
	i := sort.Search(len(edges), func(i int) bool { return edges[i] > t }) - 1
	return max(0, min(i, len(edges)-2))
}

// moveTo puts the cursor on bin i, or as near as there is one.
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

// move puts the cursor n bins further.
func (z zoom) move(n int) zoom { return z.moveTo(binAt(z.edges(), z.cursor) + n) }

// brush begins a brush at the cursor, or gives it up.
func (z zoom) brush() zoom {
	z.brushes, z.anchor = !z.brushes && !z.isEmpty(), z.cursor
	return z
}

// brushed returns the bins from the anchor to the cursor, half-open; false when nothing is brushed.
func (z zoom) brushed() (from, to int, ok bool) {
	if !z.brushes {
		return 0, 0, false
	}
	edges := z.edges()
	a, b := binAt(edges, z.anchor), binAt(edges, z.cursor)
	return min(a, b), max(a, b) + 1, true
}

// enter looks at what is brushed or at the cursor's bin.
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

// look looks at a stretch, within the archive and in whole hours, and keeps the cursor where it is if that is in view.
func (z zoom) look(at span) zoom {
	at = span{hourly.Floor(at.from), ceilHour(at.to)}.clip(z.all)
	if at.width() <= 0 {
		return z
	}
	z.span = at
	z.cursor = max(at.from, min(z.cursor, at.to-1))
	return z.idle()
}

// scale looks at num/den of the view's width; the cursor keeps its place on the screen.
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

// pan moves the view half its width along, as far as the archive goes.
func (z zoom) pan(direction int64) (zoom, string) {
	grain := z.grain(z.width())
	step := direction * max(grain, z.width()/2/grain*grain)
	from := max(z.all.from, min(z.from+step, z.all.to-z.width()))
	if from == z.from {
		return z, "The archive ends here"
	}
	return z.look(span{from, from + z.width()}), ""
}

// grain is what the ends of a view of a width are rounded to: days, where there would be too many hours.
func (z zoom) grain(width int64) int64 {
	if width > int64(z.columns)*hourLong {
		return dayLong
	}
	return hourLong
}

// snap widens a stretch to whole grains, so that "last 90d" does not begin in the middle of a day.
func (z zoom) snap(at span) span {
	grain := z.grain(at.width())
	return span{floorTo(at.from, grain), floorTo(at.to+grain-1, grain)}
}

// finer takes the next finer bins, unless they are more than the columns.
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
		return z, fmt.Sprintf("%s bins need over %s columns. Zoom in first", adjective(finer), theme.Number(timebin.MaxBuckets))
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

// coarser takes the next coarser bins.
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

// auto takes the finest bins that fit, now and from now on.
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
