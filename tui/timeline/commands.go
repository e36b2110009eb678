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
		ui.Hinted("previous-bin", "h left", "bin", t.move(by(-1))),
		ui.Hinted("next-bin", "l right", "bin", t.move(by(1))),
		ui.On("next-filled-bin", "w", "next/previous filled bin", ui.Do(func() { t.jump(zoom.NextFilled, 1) })),
		ui.On("previous-filled-bin", "b", "next/previous filled bin", ui.Do(func() { t.jump(zoom.NextFilled, -1) })),
		ui.On("next-peak", "n", "next/previous peak", ui.Do(func() { t.jumpToPeak(1) })),
		ui.On("previous-peak", "N", "next/previous peak", ui.Do(func() { t.jumpToPeak(-1) })),
		ui.On("first-bin", "g home", "first/last bin", t.move(to(0))),
		ui.On("last-bin", "G end", "first/last bin", t.move(to(math.MaxInt))),
		ui.Hinted("brush", "v", "brush", t.move(zoom.Zoom.Brush)),
		ui.On("brush-left", "shift+left", "", t.move(brushing(-1))),
		ui.On("brush-right", "shift+right", "", t.move(brushing(1))),
		ui.On("drop-brush", "esc", "clear brush", t.move(zoom.Zoom.Idle)),
		ui.Hinted("zoom", "enter", "zoom", ui.Do(t.into)),
		ui.On("zoom-in", "i", "zoom in/out at cursor", t.stepped(zoom.Zoom.In)),
		ui.On("zoom-out", "o", "zoom in/out at cursor", t.stepped(zoom.Zoom.Out)),
		ui.On("pan-back", "H", "pan by half", t.stepped(zoom.Zoom.Back)),
		ui.On("pan-on", "L", "pan by half", t.stepped(zoom.Zoom.On)),
		ui.Hinted("show-all", "0", "show all", t.zoomed(always(zoom.Zoom.Whole))),
		ui.Hinted("finer-bins", "[", "bin size", t.zoomed(zoom.Zoom.Finer)),
		ui.Hinted("coarser-bins", "]", "bin size", t.zoomed(zoom.Zoom.Coarser)),
		ui.On("auto-bins", "a", "finest bins that fit", t.zoomed(always(zoom.Zoom.Auto))),
		ui.On("next-chart", "C", "pin query, change chart", ui.Do(t.nextForm)),
		ui.On("type-range", "t", "go to a date", t.askRange),
		ui.On("toggle-share", "%", "counts or shares", ui.Do(t.toggleShare)),
	}
}

// move returns the action that moves cursor or brush.
func (t *Timeline) move(how func(zoom.Zoom) zoom.Zoom) func() tea.Cmd {
	return ui.Do(func() { t.moveTo(how) })
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

// nextForm cycles through bars, line, and pinned queries.
func (t *Timeline) nextForm() {
	t.look.Form = (t.look.Form + 1) % 3
	switch {
	case t.look.Form == Comparison && len(t.in.Pinned) == 0:
		t.look.Form = Bars
		t.ui.Post(ui.Notify("Bars (" + t.ui.Key("histogram.pin") + " pins a query to compare)"))
	case t.look.Form == Comparison:
		t.ui.Post(ui.Notify("Pinned queries"))
	case t.look.Form == Line:
		t.ui.Post(ui.Notify("Line chart"))
	}
}

func (t *Timeline) toggleShare() {
	if !t.in.Searching {
		t.ui.Post(ui.Notify("No shares without a query. Search first"))
		return
	}
	t.look.Share = !t.look.Share
}
