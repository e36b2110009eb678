// Package zoom is how the explorer moves through time: windows, bins, cursor and brush, and the counts of all
// turns.
package zoom

import (
	"slices"
	"sort"
	"time"

	"lens/retrieval"
	"lens/retrieval/timebin"
)

// The zoom state machine: window, bins, cursor and brush. It is pure: every operation returns the next state, and a
// sentence if it refuses.
//
//	idle --brush--> brushing --brush or cancel--> idle
//	brushing or idle --enter--> idle, zoomed to the brush or the cursor's bin
//
// The cursor is a time, not an index, so that changing bins or the window does not move it.

// Span is the half-open window [from, to) in UTC seconds.
type Span struct{ From, To int64 }

// Width returns how many seconds it lasts.
func (s Span) Width() int64 { return s.To - s.From }

// Holds reports whether a time lies in it.
func (s Span) Holds(t int64) bool { return s.From <= t && t < s.To }

// Covers reports whether all of inner lies in it.
func (s Span) Covers(inner Span) bool { return s.From <= inner.From && inner.To <= s.To }

// Clip returns the part of it that lies in to. Its width is negative where they do not meet.
func (s Span) Clip(to Span) Span { return Span{max(s.From, to.From), min(s.To, to.To)} }

// Bounded returns the span between two times. Where one is zero, it begins or ends as s does.
func (s Span) Bounded(since, until time.Time) Span {
	if !since.IsZero() {
		s.From = since.Unix()
	}
	if !until.IsZero() {
		s.To = until.Unix()
	}
	return s
}

// Of returns the times that lie in it, of times in order.
func (s Span) Of(times []int64) []int64 {
	from, _ := slices.BinarySearch(times, s.From)
	to, _ := slices.BinarySearch(times, s.To)
	return times[from:to]
}

// View is the window and the bins of the histogram, as the history remembers them.
type View struct {
	Span
	Bin    timebin.Bin // auto, or the chosen unit
	Cursor int64
}

// Zoom is the state. The zero value is empty.
type Zoom struct {
	View
	All     Span  // the whole archive, in whole days
	last    int64 // the time of its last turn
	Columns int   // of the plot
	anchor  int64
	Brushes bool
}

// The lengths of an hour and a day, in seconds.
const (
	HourLong = 3600
	DayLong  = 24 * HourLong
)

// Hourly bins begin and end as every window does.
var Hourly = timebin.Bin{Unit: timebin.Hour, N: 1}

// New shows the whole archive, with the cursor at its end. first and last are the times of its first and last turn.
func New(first, last int64, columns int) Zoom {
	day := timebin.Bin{Unit: timebin.Day, N: 1}
	all := Span{day.Floor(first), day.Next(last)}
	return Zoom{View: View{Span: all, Cursor: last}, All: all, last: last, Columns: max(1, columns)}
}

// Grow adapts to a changed archive: it keeps the window, or the whole archive if that was in view, and the brush.
func (z Zoom) Grow(o *retrieval.Overview) Zoom {
	if o.First == nil || o.Last == nil {
		return z
	}
	next := New(o.First.Unix(), o.Last.Unix(), z.Columns)
	if z.IsAll() || z.Span.Clip(next.All).Width() <= 0 {
		next.Bin, next.Cursor = z.Bin, max(next.From, min(z.Cursor, next.To-1))
	} else {
		grown := z
		grown.All, grown.last = next.All, next.last
		next = grown.Look(z.Span)
	}
	if z.Brushes && next.Holds(z.anchor) {
		next.Brushes, next.anchor = true, z.anchor
	}
	return next
}

// IsEmpty reports whether the view has no width, as in an archive without dates.
func (z Zoom) IsEmpty() bool { return z.Width() <= 0 }

// IsAll reports whether the whole archive is in view.
func (z Zoom) IsAll() bool { return z.Span == z.All }

// Unit returns the bins shown: the chosen ones if each has a column, else the finest with room between them.
func (z Zoom) Unit() timebin.Bin {
	if !z.Bin.IsAuto() && z.fits(z.Bin) {
		return z.Bin
	}
	return z.auto()
}

func (z Zoom) fits(bin timebin.Bin) bool {
	n, ok := z.count(bin)
	return ok && n <= z.Columns
}

// count returns how many bins of a unit cover the view; false if there are too many to count.
func (z Zoom) count(bin timebin.Bin) (int, bool) {
	edges, err := bin.Edges(z.From, z.To)
	return len(edges) - 1, err == nil
}

// Edges returns the edges of the bins that cover the view, snapped outward.
func (z Zoom) Edges() []int64 {
	if z.IsEmpty() {
		return nil
	}
	edges, err := z.Unit().Edges(z.From, z.To)
	if err != nil {
		return nil // cannot happen: bins that fit the columns can be counted
	}
	return edges
}

// BinAt returns the index of the bin that contains t.
func BinAt(edges []int64, t int64) int {
	i := sort.Search(len(edges), func(i int) bool { return edges[i] > t }) - 1
	return max(0, min(i, len(edges)-2))
}

// MoveTo moves the cursor to bin i, clamped to the view.
func (z Zoom) MoveTo(i int) Zoom {
	edges := z.Edges()
	if len(edges) < 2 {
		return z
	}
	i = max(0, min(i, len(edges)-2))
	if BinAt(edges, z.Cursor) != i {
		z.Cursor = max(edges[i], z.From)
	}
	return z
}

// Move moves the cursor by n bins.
func (z Zoom) Move(n int) Zoom { return z.MoveTo(BinAt(z.Edges(), z.Cursor) + n) }

// Brush begins a brush at the cursor, or ends it.
func (z Zoom) Brush() Zoom {
	z.Brushes, z.anchor = !z.Brushes && !z.IsEmpty(), z.Cursor
	return z
}

// Brushed returns the half-open range of bins from the anchor to the cursor; false without a brush.
func (z Zoom) Brushed() (from, to int, ok bool) {
	if !z.Brushes {
		return 0, 0, false
	}
	edges := z.Edges()
	a, b := BinAt(edges, z.anchor), BinAt(edges, z.Cursor)
	return min(a, b), max(a, b) + 1, true
}

// Enter zooms to the brush or the cursor's bin.
func (z Zoom) Enter() (Zoom, string) {
	edges := z.Edges()
	if len(edges) < 2 {
		return z, "Nothing to zoom into"
	}
	from, to, ok := z.Brushed()
	if !ok {
		from = BinAt(edges, z.Cursor)
		to = from + 1
	}
	next := Span{edges[from], edges[to]}.Clip(z.Span)
	if next == z.Span {
		return z.Idle(), "Already in view. Zoom out first"
	}
	into := z.Look(next)
	if into.Span == z.Span { // of an hour
		return into, "Can't zoom in further"
	}
	return into, ""
}

// Idle drops the brush.
func (z Zoom) Idle() Zoom {
	z.Brushes = false
	return z
}

// Look shows a window, clipped to the archive and widened to whole hours, and keeps the cursor if it is in view.
func (z Zoom) Look(at Span) Zoom {
	at = Span{Hourly.Floor(at.From), ceilHour(at.To)}.Clip(z.All)
	if at.Width() <= 0 {
		return z
	}
	z.Span = at
	z.Cursor = max(at.From, min(z.Cursor, at.To-1))
	return z.Idle()
}

// Scale zooms to num/den of the width. The cursor keeps its position on the screen.
func (z Zoom) Scale(num, den int64) (Zoom, string) {
	if z.IsEmpty() {
		return z, "Nothing to zoom into"
	}
	if num < den && z.Width() <= HourLong {
		return z, "Can't zoom in further"
	}
	width := max(HourLong, z.Width()*num/den)
	if width >= z.All.Width() {
		if z.IsAll() {
			return z, "Can't zoom out further"
		}
		return z.Look(z.All), ""
	}
	grain := z.grain(width)
	share := float64(z.Cursor-z.From) / float64(z.Width())
	width = max(grain, (width+grain/2)/grain*grain)
	from := z.All.From + floorTo(z.Cursor-int64(share*float64(width))-z.All.From, grain)
	from = max(z.All.From, min(from, z.All.To-width))
	return z.Look(Span{from, from + width}), ""
}

// Pan moves the view by half its width, within the archive.
func (z Zoom) Pan(direction int64) (Zoom, string) {
	grain := z.grain(z.Width())
	step := direction * max(grain, z.Width()/2/grain*grain)
	from := max(z.All.From, min(z.From+step, z.All.To-z.Width()))
	if from == z.From {
		return z, "The archive ends here"
	}
	return z.Look(Span{from, from + z.Width()}), ""
}

// Around moves the view to a time that is out of it, and the cursor there.
func (z Zoom) Around(at int64) (Zoom, string) {
	if z.Holds(at) {
		return z, "In view already"
	}
	z.Cursor = at
	return z.Center(at), ""
}

// Center moves the view so that a time is in its middle, as far as the archive allows.
func (z Zoom) Center(at int64) Zoom {
	from := z.All.From + floorTo(at-z.Width()/2-z.All.From, z.grain(z.Width()))
	from = max(z.All.From, min(from, z.All.To-z.Width()))
	return z.Look(Span{from, from + z.Width()})
}

// In zooms to half the width.
func (z Zoom) In() (Zoom, string) { return z.Scale(1, 2) }

// Out zooms to twice the width.
func (z Zoom) Out() (Zoom, string) { return z.Scale(2, 1) }

// Back moves the view towards the past.
func (z Zoom) Back() (Zoom, string) { return z.Pan(-1) }

// On moves the view towards the present.
func (z Zoom) On() (Zoom, string) { return z.Pan(1) }

// Whole shows the whole archive in automatic bins.
func (z Zoom) Whole() Zoom { return z.Look(z.All).Auto() }

// grain returns the rounding for the ends of a view of a width: hours, or days if the hours exceed the columns.
func (z Zoom) grain(width int64) int64 {
	if width > int64(z.Columns)*HourLong {
		return DayLong
	}
	return HourLong
}

// Snap widens a window to whole grains, so that "last 90d" does not begin in the middle of a day.
func (z Zoom) Snap(at Span) Span {
	grain := z.grain(at.Width())
	return Span{floorTo(at.From, grain), floorTo(at.To+grain-1, grain)}
}

func ceilHour(t int64) int64 { return Hourly.Floor(t + HourLong - 1) }

func floorTo(t, grain int64) int64 {
	if t < 0 {
		t -= grain - 1
	}
	return t / grain * grain
}
