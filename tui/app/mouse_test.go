package app

import (
	"slices"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"

	"github.com/charmbracelet/x/ansi"

	"lens/agent"
	"lens/tui/histogram"
	"lens/tui/zoom"
)

func (d *driver) clickAt(x, y int) {
	d.send(tea.MouseClickMsg{X: x, Y: y, Button: tea.MouseLeft})
	d.send(tea.MouseReleaseMsg{X: x, Y: y, Button: tea.MouseLeft})
}

func (d *driver) dragTo(fromX, toX, y int) {
	d.send(tea.MouseClickMsg{X: fromX, Y: y, Button: tea.MouseLeft})
	for x := fromX; x != toX; x += sign(toX - fromX) {
		d.send(tea.MouseMotionMsg{X: x, Y: y, Button: tea.MouseLeft})
	}
	d.send(tea.MouseMotionMsg{X: toX, Y: y, Button: tea.MouseLeft})
	d.send(tea.MouseReleaseMsg{X: toX, Y: y, Button: tea.MouseLeft})
}

func sign(n int) int {
	if n < 0 {
		return -1
	}
	return 1
}

func TestMouse_ClickOnABin(t *testing.T) {
	d := explore(newFake(1200), 120, 40).search("cancel")
	chart := d.layout().at[paneTimeline]
	d.clickAt(60, chart.y+3)
	if got, want := zoom.BinAt(d.timeline.Zoom().Edges(), d.timeline.Zoom().Cursor), d.timeline.Chart().BinAt(60, d.width); got != want || d.focus != paneTimeline {
		t.Errorf("the cursor is on bin %d, clicked was %d", got, want)
	}
}

func TestMouse_DragBrushesAndClickZooms(t *testing.T) {
	d := explore(newFake(1200), 120, 40).search("cancel")
	y := d.layout().at[paneTimeline].y + 4
	for _, c := range []struct{ from, to int }{{40, 60}, {80, 50}} {
		d.keys("0")
		d.dragTo(c.from, c.to, y)
		left, right := min(c.from, c.to), max(c.from, c.to)
		from, to, ok := d.timeline.Zoom().Brushed()
		if !ok || from != d.timeline.Chart().BinAt(left, d.width) || to != d.timeline.Chart().BinAt(right, d.width)+1 {
			t.Fatalf("a drag from %d to %d brushed %d..%d (%v)", c.from, c.to, from, to, ok)
		}
		edges := d.timeline.Zoom().Edges()
		want := zoom.Span{From: edges[from], To: edges[to]}.Clip(d.timeline.Zoom().Span)
		d.clickAt((left+right)/2, y)
		if d.timeline.Zoom().Span != want {
			t.Errorf("a click in the brush led to %v, want %v", d.timeline.Zoom().Span, want)
		}
	}
}

func TestMouse_WheelZooms(t *testing.T) {
	d := explore(newFake(1200), 120, 40).search("cancel")
	notch := tea.MouseWheelMsg{X: histogram.Left + 70, Y: d.layout().at[paneTimeline].y + 2, Button: tea.MouseWheelUp}
	if d.send(notch); d.timeline.Zoom().IsAll() {
		t.Error("the wheel does not zoom")
	}
	d.send(notch)
	if d.keys("u"); d.timeline.Zoom().IsAll() {
		t.Error("back undoes more than a notch")
	}
}

func TestMouse_SecondClickOpensAMatch(t *testing.T) {
	d := explore(newFake(1200), 120, 40).search("cancel")
	l := d.layout()
	d.clickAt(5, l.at[paneResults].y+1+5) // three lines for the first match, which folds others: the third
	third, _ := d.results.Cursor()
	if third.Rank != 3 || d.focus != paneResults {
		t.Fatalf("clicked on rank %d", third.Rank)
	}
	d.clickAt(5, l.at[paneResults].y+1+5)
	if d.focus != paneReader || d.reader.Opened() == nil || d.reader.Opened().TurnID != third.ID {
		t.Error("the second click does not read the turn")
	}
	d.send(tea.MouseWheelMsg{X: 5, Y: l.at[paneResults].y + 3, Button: tea.MouseWheelDown})
	if now, _ := d.results.Cursor(); now.Rank != 3+wheelRows {
		t.Errorf("the wheel went to rank %d", now.Rank)
	}
}

func TestMouse_ClickOnACrumb(t *testing.T) {
	d := explore(newFake(1200), 120, 40).search("cancel").keys("1 g n enter")
	if d.timeline.Zoom().IsAll() {
		t.Fatal("enter does not zoom")
	}
	line := strings.Split(d.screen(), "\n")[1]
	d.clickAt(strings.Index(line, "All"), 1)
	if !d.timeline.Zoom().IsAll() {
		t.Errorf("a click on All led to %v:\n%s", d.timeline.Zoom().Span, line)
	}
	d.keys("u")
	if d.timeline.Zoom().IsAll() {
		t.Error("back cannot be undone")
	}
}

func TestMouse_ClickInAndOutsideAMenu(t *testing.T) {
	d := explore(newFake(300), 100, 30).search("cancel").keys("1 :")
	d.clickAt(0, 29)
	if d.dialogs.IsOpen() {
		t.Fatal("a click beside the menu leaves it open")
	}
	d.keys(":")
	at := -1
	for range 60 {
		at = slices.IndexFunc(strings.Split(d.screen(), "\n"), func(l string) bool { return strings.Contains(l, "Full size") })
		if at >= 0 {
			break
		}
		d.send(tea.MouseWheelMsg{X: 50, Y: 15, Button: tea.MouseWheelDown})
	}
	d.clickAt(50, at)
	if d.dialogs.IsOpen() || !d.maximized {
		t.Errorf("a click on an item at line %d does not choose it:\n%s", at, d.screen())
	}
}

func TestMouse_TurnedOff(t *testing.T) {
	d := explore(newFake(100), 80, 24)
	if d.View().MouseMode != tea.MouseModeCellMotion {
		t.Error("the mouse is not asked for")
	}
	if d.keys("M"); d.View().MouseMode != tea.MouseModeNone {
		t.Error("M does not give the mouse back")
	}
}

// spot returns the cell where a text is drawn, below the chart.
func (d *driver) spot(t *testing.T, text string) (x, y int) {
	t.Helper()
	lines := strings.Split(d.screen(), "\n")
	for y = d.layout().body.y; y < len(lines); y++ {
		if before, _, ok := strings.Cut(lines[y], text); ok {
			return ansi.StringWidth(before), y
		}
	}
	t.Fatalf("%q is not on the screen:\n%s", text, d.screen())
	return 0, 0
}

// A click hits what is drawn at its cell, whatever margins and heads are around it.
func TestMouse_HitsWhatIsDrawn(t *testing.T) {
	for _, size := range [][2]int{{200, 60}, {120, 40}, {100, 30}, {80, 24}, {59, 14}} {
		e := newFake(1200)
		i := investigation(e)
		d := chatting(e, i, size[0], size[1]).search("apple").asks("When did I first cancel?")
		cited := i.events[len(i.events)-1].(agent.Done).Citations
		x, y := d.spot(t, "[1]") // in the answer
		d.clickAt(x+1, y)
		if d.focus != paneReader || d.reader.Wanted().String() != cited[0].TurnID {
			t.Errorf("%v: a click on [1] opens %v in pane %d", size, d.reader.Wanted(), d.focus)
		}
		x, y = d.keys("4 esc").spot(t, "2 Apr 2024") // of the sources, which are drawn below
		d.clickAt(x-2, y)
		if d.focus == paneChat {
			t.Errorf("%v: a click on a source opens nothing", size)
		}
		x, y = d.keys("4").spot(t, d.ui.Theme.Glyphs.Path)
		d.typed("abc").clickAt(x+2+1, y)
		if d.typed("X"); d.chat.Typed() != "aXbc" {
			t.Errorf("%v: a click in the input puts the cursor before %q", size, d.chat.Typed())
		}
		d.keys("esc 2")
		row, _ := d.results.Cursor()
		x, y = d.spot(t, d.ui.Theme.Glyphs.Row)
		d.clickAt(x, y)
		if d.focus != paneReader || d.reader.Wanted() != row.ID {
			t.Errorf("%v: a click on the row opens %v in pane %d", size, d.reader.Wanted(), d.focus)
		}
	}
}
