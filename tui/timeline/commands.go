package timeline

import (
	"math"

	tea "charm.land/bubbletea/v2"

	"lens/tui/ui"
	"lens/tui/zoom"
)

// Commands returns what the timeline can do while it has the focus.
func (t *Timeline) Commands() []ui.Command {
	return []ui.Command{
		ui.Hinted("previous-bin", "h left", "bar", t.move(by(-1))).Anywhere(),
		ui.Hinted("next-bin", "l right", "bar", t.move(by(1))).Anywhere(),
		ui.On("previous-filled-bin", ",", "previous/next filled bar", t.jumped(-1)).Anywhere(),
		ui.On("next-filled-bin", ";", "previous/next filled bar", t.jumped(1)).Anywhere(),
		ui.On("first", "g home", "first/last bar", t.move(to(0))),
		ui.On("last", "G end", "first/last bar", t.move(to(math.MaxInt))),
		ui.On("next-peak", "n", "next/previous peak", ui.Do(func() { t.jumpToPeak(1) })),
		ui.On("previous-peak", "N", "next/previous peak", ui.Do(func() { t.jumpToPeak(-1) })),
		ui.On("pan-back", "H", "pan by half", t.stepped(zoom.Zoom.Back)).Anywhere(),
		ui.On("pan-on", "L", "pan by half", t.stepped(zoom.Zoom.On)).Anywhere(),
		ui.Hinted("brush", "v", "brush", t.move(zoom.Zoom.Brush)).Anywhere().Leading().Last(),
		ui.On("brush-left", "shift+left", "", t.move(brushing(-1))).Anywhere(),
		ui.On("brush-right", "shift+right", "", t.move(brushing(1))).Anywhere(),
		ui.Hinted("look-into", "enter", "zoom", ui.Do(t.into)),
		ui.On("leave", "esc", "clear brush", t.move(zoom.Zoom.Idle)),
		ui.On("zoom-in", "+", "zoom in/out at cursor", ui.Do(t.zoomIn)).Anywhere(),
		ui.On("zoom-out", "-", "zoom in/out at cursor", t.stepped(zoom.Zoom.Out)).Anywhere(),
		ui.Hinted("show-all", "0", "show all", t.zoomed(always(zoom.Zoom.Whole))).Anywhere().
			While(func() bool { return !t.zoom.IsAll() }),
		ui.Hinted("finer-bins", "<", "finer/coarser", t.zoomed(zoom.Zoom.Finer)).Anywhere(),
		ui.Hinted("coarser-bins", ">", "finer/coarser", t.zoomed(zoom.Zoom.Coarser)).Anywhere(),
		ui.On("auto-bins", "a", "finest bars that fit", t.zoomed(always(zoom.Zoom.Auto))).Anywhere(),
		ui.On("type-range", "t", "go to a date", t.askRange).Anywhere(),
		ui.On("next-chart", "C", "change chart", ui.Do(t.nextForm)).Anywhere().Leading(),
		ui.On("toggle-share", "%", "shares, or one scale", ui.Do(t.toggleShare)).Anywhere(),
		ui.On("toggle-occurrences", "#", "matches or occurrences", ui.Do(t.toggleOccurrences)).Anywhere(),
	}
}

// move returns the action that moves cursor or brush.
func (t *Timeline) move(how func(zoom.Zoom) zoom.Zoom) func() tea.Cmd {
	return ui.Do(func() { t.moveTo(how) })
}

// jumped returns the action that moves to the next bin that is not empty, for step -1 to the previous one.
func (t *Timeline) jumped(step int) func() tea.Cmd {
	return ui.Do(func() { t.jump(zoom.NextFilled, step) })
}

// zoomed returns the action of an operation.
func (t *Timeline) zoomed(op operation) func() tea.Cmd { return ui.Do(func() { t.change(op, false) }) }

// stepped is zoomed for operations that are repeated.
func (t *Timeline) stepped(op operation) func() tea.Cmd { return ui.Do(func() { t.change(op, true) }) }

func by(n int) func(zoom.Zoom) zoom.Zoom { return func(z zoom.Zoom) zoom.Zoom { return z.Move(n) } }

func to(bin int) func(zoom.Zoom) zoom.Zoom {
	return func(z zoom.Zoom) zoom.Zoom { return z.MoveTo(bin) }
}

// brushing extends the brush, and begins one if there is none.
func brushing(n int) func(zoom.Zoom) zoom.Zoom {
	return func(z zoom.Zoom) zoom.Zoom {
		if !z.Brushes {
			z = z.Brush()
		}
		return z.Move(n)
	}
}

func always(how func(zoom.Zoom) zoom.Zoom) operation {
	return func(z zoom.Zoom) (zoom.Zoom, string) { return how(z), "" }
}

// nextForm cycles through bars, line, and rows and lines of pinned queries.
func (t *Timeline) nextForm() {
	t.look.Form = (t.look.Form + 1) % (Lines + 1)
	switch {
	case t.look.Form.compares() && len(t.in.Pinned) == 0:
		t.look.Form = Bars
		t.ui.Post(ui.Notify("Bars (" + t.ui.Key("pin") + " compares queries)"))
	case t.look.Form == Rows:
		t.ui.Post(ui.Notify("A row for each query"))
	case t.look.Form == Lines:
		t.ui.Post(ui.Notify("A line for each query"))
	case t.look.Form == Line:
		t.ui.Post(ui.Notify("Line chart"))
	}
}

// toggleOccurrences draws all turns with the words of the query instead of the best matches, or these again.
func (t *Timeline) toggleOccurrences() {
	switch {
	case !t.in.Searching || t.in.Peek == nil:
		t.ui.Post(ui.Notify("Nothing to count without a query. Search first"))
	case t.in.Peek.Occurrences == nil:
		t.ui.Post(ui.Notify("No words to count in this query"))
	case t.drawn().occurrences:
		t.look.Counted = Matches
		t.ui.Post(ui.Notify("Counting the best matches"))
	default:
		t.look.Counted = Occurrences
		t.ui.Post(ui.Notify("Counting all turns with the words"))
	}
}

// toggleShare draws the shares of all turns instead of counts, and rows on one scale instead of their own.
func (t *Timeline) toggleShare() {
	if !t.in.Searching {
		t.ui.Post(ui.Notify("No shares without a query. Search first"))
		return
	}
	if t.form() == Rows {
		t.look.OneScale = !t.look.OneScale
		return
	}
	t.look.Share = !t.look.Share
}
