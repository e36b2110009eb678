package app

import (
	tea "charm.land/bubbletea/v2"
)

// The mouse. Everything it does has a key, too. Clicks are resolved against the drawn frame, so that a click always
// means what is visible.

// mousePress tracks a button from press to release.
type mousePress struct {
	down bool
	in   string // the pane
}

// wheelRows is how many lines a notch of the wheel scrolls.
const wheelRows = 3

// handleMouse handles clicks, drags and the wheel.
func (m *model) handleMouse(msg tea.MouseMsg) tea.Cmd {
	at := msg.Mouse()
	if m.watcher.Touch(); m.locked.IsShown() {
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
		m.release()
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
	if id == "crumb" {
		m.focus = paneTimeline
		m.timeline.ClickHead(at.X - l.crumb.x)
		return nil
	}
	p, ok := paneNamed(id)
	if !ok {
		return nil
	}
	if r := l.at[p]; p.hasHead() && at.Y == r.y+l.headAt(p) && m.isCovered(at.X-r.x, r.w-1, p) {
		return m.focusOn(paneReader)()
	}
	in := l.inside(p)
	at.X, at.Y = at.X-in.x, at.Y-in.y
	if c, ok := m.component(p).(clickable); ok && c.Click(at.X, at.Y) {
		return nil
	}
	m.focus = p
	return nil
}

// clickable is a component that does something when it is clicked. It reports whether it decides about the focus.
type clickable interface {
	Click(x, y int) (decides bool)
}

// scrollable is a component that scrolls by lines.
type scrollable interface{ Scroll(n int) }

// paneNamed returns the pane of a name, false if there is none.
func paneNamed(name string) (pane, bool) {
	for p := range paneCount {
		if paneTable[p].name == name {
			return p, true
		}
	}
	return 0, false
}

// drag brushes from the position of the press.
func (m *model) drag(at tea.Mouse) {
	if m.pressed.down && m.pressed.in == "histogram" {
		m.timeline.Drag(at.X - m.layout().at[paneTimeline].x)
	}
}

// release ends a press.
func (m *model) release() {
	if m.pressed.in == "histogram" {
		m.timeline.Release()
	}
	m.pressed = mousePress{}
}

// wheel scrolls the pane under the pointer; the timeline zooms.
func (m *model) wheel(at tea.Mouse, id string) tea.Cmd {
	step := 1
	if at.Button == tea.MouseWheelUp || at.Button == tea.MouseWheelLeft {
		step = -1
	}
	switch id {
	case "dialog":
		return m.dialogs.Update(tea.MouseWheelMsg(at))
	case "histogram", "crumb":
		m.footer.Say("")
		at.X -= m.layout().at[paneTimeline].x
		m.timeline.Wheel(at)
		return nil
	}
	if p, ok := paneNamed(id); ok {
		if c, ok := m.component(p).(scrollable); ok {
			c.Scroll(step * wheelRows)
		}
	}
	return nil
}
