package timeline

import (
	tea "charm.land/bubbletea/v2"

	"lens/tui/zoom"
)

// press is a button from press to release.
type press struct {
	brushed bool // it was pressed inside the brush
	slides  bool // it was pressed on the overview
	moved   bool
}

// ClickHead goes to the window whose name is drawn at a column of the head.
func (t *Timeline) ClickHead(x int) {
	if c, ok := t.title().crumbAt(x, t.width-1); ok && c.window != t.zoom.Span {
		t.Enter(c.window)
	}
}

// Click moves the cursor to the bin at a cell of the chart, or the window to one of the overview. If the bin is
// brushed, the release zooms instead, so that a drag can begin anywhere.
func (t *Timeline) Click(x, y int) (decides bool) {
	_, overviewed := t.rows()
	if t.press = (press{slides: overviewed && y == 0}); t.press.slides {
		t.slide(x)
		return false
	}
	bin := t.binAt(x)
	if bin < 0 {
		return false
	}
	from, to, ok := t.zoom.Brushed()
	if t.press.brushed = ok && from <= bin && bin < to; t.press.brushed {
		return false
	}
	t.zoom = t.zoom.Idle()
	t.moveTo(func(z zoom.Zoom) zoom.Zoom { return z.MoveTo(bin) })
	return false
}

// Drag brushes from where the button was pressed to a column. On the overview it moves the window.
func (t *Timeline) Drag(x int) {
	if t.press.slides {
		t.slide(x)
		return
	}
	c := t.chart()
	bin := c.Nearest(x, t.width)
	if t.form() == Rows {
		bin = c.RowNearest(x, t.width)
	}
	if bin < 0 || !t.press.moved && bin == c.Cursor {
		return
	}
	if !t.press.moved {
		t.press.moved = true
		t.zoom = t.zoom.Idle().Brush()
	}
	t.zoom = t.zoom.MoveTo(bin)
}

// Release zooms if the brush was clicked.
func (t *Timeline) Release() {
	was := t.press
	t.press = press{}
	if was.brushed && !was.moved {
		t.into()
	}
}

// Wheel zooms about the pointer and moves the cursor there. Sideways, or with shift, it pans.
func (t *Timeline) Wheel(at tea.Mouse) {
	direction := int64(1)
	if at.Button == tea.MouseWheelUp || at.Button == tea.MouseWheelLeft {
		direction = -1
	}
	if at.Button == tea.MouseWheelLeft || at.Button == tea.MouseWheelRight || at.Mod.Contains(tea.ModShift) {
		t.change(func(z zoom.Zoom) (zoom.Zoom, string) { return z.Pan(direction) }, true)
		return
	}
	if bin := t.binAt(at.X); bin >= 0 {
		t.zoom = t.zoom.MoveTo(bin)
	}
	if direction < 0 {
		t.change(zoom.Zoom.In, true)
	} else {
		t.change(zoom.Zoom.Out, true)
	}
}

// binAt returns the bin at a column, -1 for none.
func (t *Timeline) binAt(x int) int {
	if t.form() == Rows {
		return t.chart().RowBinAt(x, t.width)
	}
	return t.chart().BinAt(x, t.width)
}
