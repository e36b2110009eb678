package tui

import (
	tea "charm.land/bubbletea/v2"

	"lens/tui/histogram"
	"lens/tui/zoom"
)

// The mouse. Everything it does has a key, too. Clicks are resolved against the drawn frame, so that a click always
// means what is visible.

// mousePress tracks a button from press to release.
type mousePress struct {
	down    bool
	in      string // the pane
	brushed bool   // the press was inside the brush
	moved   bool
}

// wheelRows is how many lines a notch of the wheel scrolls.
const wheelRows = 3

// takeMouse handles clicks, drags and the wheel.
func (m *model) takeMouse(msg tea.MouseMsg) tea.Cmd {
	at := msg.Mouse()
	if m.guard.touched = m.ui.Now(); m.locked.IsShown() {
		return nil
	}
	switch msg.(type) {
	case tea.MouseClickMsg:
		m.footer.Say("")
		if at.Button == tea.MouseLeft {
			return m.click(at, m.under(at.X, at.Y))
		}
	case tea.MouseMotionMsg:
		m.drag(at)
	case tea.MouseReleaseMsg:
		return m.release(at)
	case tea.MouseWheelMsg:
		return m.wheel(at, m.under(at.X, at.Y))
	}
	return nil
}

// under names the pane at a cell, "" for none.
func (m *model) under(x, y int) string { return m.frame().under(x, y) }

// click handles a press. Zooming waits for the release, so that a drag can begin anywhere.
func (m *model) click(at tea.Mouse, id string) tea.Cmd {
	if m.dialogs.IsOpen() {
		return m.dialogs.Update(tea.MouseClickMsg(at))
	}
	m.pressed = mousePress{down: true, in: id}
	l := m.layout()
	switch id {
	case "query":
		if m.bar.Click(at.X) {
			return nil
		}
		return focusOn(paneQuery)(m)
	case "crumb":
		m.focus = paneHistogram
		return m.clickCrumb(at.X)
	case "histogram":
		m.focus = paneHistogram
		m.pointAtBin(at.X)
	case "matches":
		m.focus = paneMatches
		m.results.Click(at.Y - l.matches.y)
	case "turn", "info":
		front := map[string]pane{"turn": paneTurn, "info": paneInfo}[id]
		tabs := rect{l.turn.x + l.info.x, l.turn.y + l.info.y, l.turn.w + l.info.w, 1}
		if cmd, taken := m.clickTab(at, front, tabs); taken {
			return cmd
		}
		m.focus = front
	case "chat":
		return m.clickChat(at)
	}
	return nil
}

// pointAtBin moves the cursor to the bin at a column. If the bin is brushed, the release zooms instead.
func (m *model) pointAtBin(x int) {
	bin := m.timeline.Chart().BinAt(x, m.width)
	if bin < 0 {
		return
	}
	from, to, ok := m.timeline.Zoom().Brushed()
	if m.pressed.brushed = ok && from <= bin && bin < to; m.pressed.brushed {
		return
	}
	m.timeline.SetZoom(m.timeline.Zoom().Idle().MoveTo(bin))
}

// drag brushes from the position of the press.
func (m *model) drag(at tea.Mouse) {
	if !m.pressed.down || m.pressed.in != "histogram" {
		return
	}
	bin := m.timeline.Chart().BinAt(min(max(at.X, histogram.Left), histogram.Left+histogram.Columns(m.width)-1), m.width)
	if bin < 0 || !m.pressed.moved && bin == zoom.BinAt(m.timeline.Zoom().Edges(), m.timeline.Zoom().Cursor) {
		return
	}
	if !m.pressed.moved {
		m.pressed.moved = true
		m.timeline.SetZoom(m.timeline.Zoom().Idle().Brush())
	}
	m.timeline.SetZoom(m.timeline.Zoom().MoveTo(bin))
}

// release zooms if the brush was clicked.
func (m *model) release(tea.Mouse) tea.Cmd {
	was := m.pressed
	m.pressed = mousePress{}
	if was.brushed && !was.moved {
		return zoomBy(zoom.Zoom.Enter)(m)
	}
	return nil
}

// wheel scrolls the pane under the pointer. Over the histogram it zooms about the pointer, and pans with shift or
// sideways.
func (m *model) wheel(at tea.Mouse, id string) tea.Cmd {
	step := 1
	if at.Button == tea.MouseWheelUp || at.Button == tea.MouseWheelLeft {
		step = -1
	}
	sideways := at.Button == tea.MouseWheelLeft || at.Button == tea.MouseWheelRight || at.Mod.Contains(tea.ModShift)
	switch id {
	case "dialog":
		return m.dialogs.Update(tea.MouseWheelMsg(at))
	case "histogram", "crumb":
		if sideways {
			return stepBy(func(z zoom.Zoom) (zoom.Zoom, string) { return z.Pan(int64(step)) })(m)
		}
		return m.zoomAbout(at.X, step)
	case "matches":
		m.results.Scroll(step * wheelRows)
	case "turn":
		m.reader.Scroll(step * wheelRows)
	case "info":
		m.details.Scroll(step * wheelRows)
	case "chat":
		m.chat.Scroll(step * wheelRows)
	}
	return nil
}

// zoomAbout zooms by a notch about the pointer and moves the cursor there.
func (m *model) zoomAbout(x, step int) tea.Cmd {
	if bin := m.timeline.Chart().BinAt(x, m.width); bin >= 0 {
		m.timeline.SetZoom(m.timeline.Zoom().MoveTo(bin))
	}
	if step < 0 {
		return stepBy(zoom.Zoom.In)(m)
	}
	return stepBy(zoom.Zoom.Out)(m)
}

// clickCrumb goes to the window of the crumb at a column.
func (m *model) clickCrumb(x int) tea.Cmd {
	c, ok := m.timeline.CrumbAt(x)
	if !ok || c == m.timeline.Zoom().Span {
		return nil
	}
	return zoomBy(func(z zoom.Zoom) (zoom.Zoom, string) { return z.Look(c), "" })(m)
}

// toggleMouse turns the mouse off or on. Off, the terminal's own selection works.
func (m *model) toggleMouse() tea.Cmd {
	m.noMouse = !m.noMouse
	m.footer.Say("Mouse on (M turns it off)")
	if m.noMouse {
		m.footer.Say("Mouse off (M turns it on)")
	}
	return nil
}
