package timeline

import (
	"strings"

	tea "charm.land/bubbletea/v2"

	"lens/retrieval/dates"
	"lens/tui/dialog"
	"lens/tui/ui"
	"lens/tui/zoom"
)

// WindowChanged is posted when the window in view or its bins have changed, as a step that can be undone.
type WindowChanged struct {
	Step bool // several in quick succession are one entry of the history
}

// CursorMoved is posted when the user has moved the cursor to another bin.
type CursorMoved struct{ Bin zoom.Span }

// operation changes the window or its bins, or says why not.
type operation = func(zoom.Zoom) (zoom.Zoom, string)

// change applies an operation.
func (t *Timeline) change(op operation, step bool) {
	next, refusal := op(t.zoom)
	if refusal != "" {
		t.ui.Post(ui.Notify(refusal))
	}
	changed := next.Span != t.zoom.Span || next.Bin != t.zoom.Bin
	if t.zoom = next; changed {
		t.ui.Post(WindowChanged{step})
	}
}

// Enter shows a window, as a step that can be undone.
func (t *Timeline) Enter(window zoom.Span) {
	t.enter(func(z zoom.Zoom) (zoom.Zoom, string) { return z.Look(window), "" })
}

// enter applies an operation that looks into a part of the view, with the cursor on the fullest bin of that.
func (t *Timeline) enter(op operation) {
	was := t.zoom.Span
	if t.change(op, false); t.zoom.Span == was {
		return
	}
	t.placed = placement{to: zoom.Fullest}
	t.place()
}

// zoomIn zooms in about the cursor, which stays on a bin that is not empty.
func (t *Timeline) zoomIn() {
	was := t.zoom.Span
	if t.change(zoom.Zoom.In, true); t.zoom.Span == was {
		return
	}
	t.placed = placement{to: zoom.NearestFilled}
	t.place()
}

// placement is where a zoom has put the cursor, and by which rule.
type placement struct {
	window zoom.Span
	cursor int64
	to     func(counts []int, from int) int // nil: the cursor has moved on
}

// place puts the cursor where a zoom ends.
func (t *Timeline) place() {
	edges := t.zoom.Edges()
	if len(edges) < 2 {
		return
	}
	t.zoom = t.zoom.MoveTo(t.placed.to(t.counts(), zoom.BinAt(edges, t.zoom.Cursor)))
	t.placed.window, t.placed.cursor = t.zoom.Span, t.zoom.Cursor
}

// placeAgain puts the cursor elsewhere if its bin turns out to be empty: what is in a window's bins comes after it.
// That ends with another window, cursor or query.
func (t *Timeline) placeAgain() {
	if t.placed.to == nil {
		return
	}
	if t.placed.window != t.zoom.Span || t.placed.cursor != t.zoom.Cursor || t.zoom.Brushes || t.in.Stale {
		t.placed = placement{}
		return
	}
	edges := t.zoom.Edges()
	if len(edges) < 2 {
		return
	}
	if bins := t.bins(edges); bins[zoom.BinAt(edges, t.zoom.Cursor)].Count == 0 {
		t.place()
	}
}

// into zooms to the brush or the bin under the cursor, which must have something in it.
func (t *Timeline) into() {
	if counts, at := t.counts(), t.chart().Cursor; !t.zoom.Brushes && at < len(counts) && counts[at] == 0 {
		t.ui.Post(ui.Notify("Nothing in this bin"))
		return
	}
	t.enter(zoom.Zoom.Enter)
}

// Brushed returns the part of the window that is brushed, false without a brush.
func (t *Timeline) Brushed() (zoom.Span, bool) {
	from, to, ok := t.zoom.Brushed()
	if !ok {
		return zoom.Span{}, false
	}
	edges := t.zoom.Edges()
	return zoom.Span{From: edges[from], To: edges[to]}.Clip(t.zoom.Span), true
}

// Follow moves the cursor to the bin of a time, if that is in view and nothing is brushed.
func (t *Timeline) Follow(at int64) {
	if edges := t.zoom.Edges(); len(edges) > 1 && t.zoom.Holds(at) && !t.zoom.Brushes {
		t.zoom = t.zoom.MoveTo(zoom.BinAt(edges, at))
	}
}

// Bring shows a window as wide as the one in view around a time.
func (t *Timeline) Bring(at int64) {
	t.change(func(z zoom.Zoom) (zoom.Zoom, string) { return z.Around(at) }, false)
}

// moveTo moves the cursor, and tells where to if it is not brushing.
func (t *Timeline) moveTo(how func(zoom.Zoom) zoom.Zoom) {
	was := t.zoom
	t.zoom = how(t.zoom)
	edges := t.zoom.Edges()
	if len(edges) < 2 || t.zoom.Brushes || was.Brushes || t.zoom.Cursor == was.Cursor {
		return
	}
	bin := zoom.BinAt(edges, t.zoom.Cursor)
	t.ui.Post(CursorMoved{zoom.Span{From: edges[bin], To: edges[bin+1]}})
}

// SetView shows a window of the history, in its bins.
func (t *Timeline) SetView(v zoom.View) {
	t.zoom.View = v
	t.zoom = t.zoom.Idle()
}

// Aim shows a window while it is typed, and for the zero span the view from before; begins says that this is now.
func (t *Timeline) Aim(window zoom.Span, begins bool) {
	if begins {
		t.unaimed = t.zoom.View
	}
	t.SetView(t.unaimed)
	if window != (zoom.Span{}) {
		t.zoom = t.zoom.Look(t.zoom.Snap(window))
		t.placed = placement{to: zoom.Fullest}
		t.place()
	}
}

// jump moves the cursor to a bin that follows from the counts.
func (t *Timeline) jump(to func(counts []int, from, step int) int, step int) {
	bin := to(t.counts(), t.chart().Cursor, step)
	t.moveTo(func(z zoom.Zoom) zoom.Zoom { return z.MoveTo(bin) })
}

// jumpToPeak moves to the next peak, for step -1 to the previous one. Without peaks it moves to the next local maximum.
func (t *Timeline) jumpToPeak(step int) {
	c := t.chart()
	if len(c.Peaks) == 0 {
		t.jump(zoom.NextPeak, step)
		return
	}
	best := -1
	for _, at := range c.Peaks {
		if (at-c.Cursor)*step > 0 && (best < 0 || (best-at)*step > 0) {
			best = at
		}
	}
	if best < 0 {
		t.ui.Post(ui.Notify("No more peaks"))
		return
	}
	t.moveTo(func(z zoom.Zoom) zoom.Zoom { return z.MoveTo(best) })
}

// askRange asks for a date range and shows it.
func (t *Timeline) askRange() tea.Cmd {
	if t.zoom.IsEmpty() {
		t.ui.Post(ui.Notify("No dates"))
		return nil
	}
	t.ui.Post(dialog.Open{Dialog: dialog.NewPrompt(t.ui, dialog.PromptOptions{
		Label:  "Go to",
		Hint:   "2024-05, 2024-05..2024-06, may 2023, week 20, last 90d, yesterday",
		Answer: func(text string) (tea.Cmd, string) { return nil, t.enterTyped(text) },
	})})
	return nil
}

// enterTyped shows the window that a text means, or says why not.
func (t *Timeline) enterTyped(text string) (refusal string) {
	now, archive := t.ui.Now(), t.zoom.Extent()
	typed, err := dates.Span(text, now, archive.Last)
	if err != nil {
		return "Not a date. Try 2024-05, may 2023, last 90d"
	}
	window := archive.Bounded(typed.Since, typed.Until)
	if window.Clip(archive.Span).Width() <= 0 {
		says, hint := archive.NoTurns(window, t.ui.Theme)
		_, ends, _ := strings.Cut(says, ". ") // the window stands in the prompt, whose line has room for the rest
		return "No turns. " + ends + "; " + hint
	}
	t.Enter(t.zoom.Snap(window))
	if typed.Relative && dates.CountsFromEnd(now, archive.Last) {
		t.ui.Post(ui.Notify(archive.CountedBack()))
	}
	return ""
}
