package tui

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
	switch id {
	case "query":
		if m.bar.Click(at.X) {
			return nil
		}
		return focusOn(paneQuery)(m)
	case "crumb":
		m.focus = paneHistogram
		m.timeline.ClickHead(at.X - l.crumb.x)
	case "histogram":
		m.focus = paneHistogram
		m.timeline.Click(at.X - l.chart.x)
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

// drag brushes from the position of the press.
func (m *model) drag(at tea.Mouse) {
	if m.pressed.down && m.pressed.in == "histogram" {
		m.timeline.Drag(at.X - m.layout().chart.x)
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
		at.X -= m.layout().chart.x
		m.timeline.Wheel(at)
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

// toggleMouse turns the mouse off or on. Off, the terminal's own selection works.
func (m *model) toggleMouse() tea.Cmd {
	m.noMouse = !m.noMouse
	m.footer.Say("Mouse on (" + m.ui.Key("toggle-mouse") + " turns it off)")
	if m.noMouse {
		m.footer.Say("Mouse off (" + m.ui.Key("toggle-mouse") + " turns it on)")
	}
	return nil
}
