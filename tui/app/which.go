package app

import (
	tea "charm.land/bubbletea/v2"

	"lens/tui/async"
	"lens/tui/dialog"
	"lens/tui/theme"
)

// After the first key of a chord and a pause, the keys that complete it are listed in the lower right corner.
// Someone who knows them sees nothing.

// whichMsg lists the keys that complete the chord, unless another key was pressed since.
type whichMsg struct{ count int }

// wait lists the keys that complete the chord after a pause.
func (m *model) wait() tea.Cmd {
	count, pause := m.count, m.pace.which
	return m.ui.Tasks.Command(func() tea.Msg {
		if !async.Wait(m.ui.Ctx, pause) {
			return nil
		}
		return whichMsg{count}
	})
}

// which returns where the keys are listed, and the list; an empty rectangle for nowhere.
func (m *model) which(l layout) (rect, []string) {
	if !m.lists || m.dialogs.IsOpen() {
		return rect{}, nil
	}
	pressed, th := keyLabel(m.chord[:len(m.chord)-len(then)]), m.ui.Theme
	var lines []string
	width := theme.Width(pressed) + 8
	for _, c := range m.keys.after(m.focus, m.chord[:len(m.chord)-len(then)]) {
		line := "   " + th.Key.Render(c.Keys()[0]) + "   " + nameOfCommand(c)
		lines, width = append(lines, line), max(width, theme.Width(line)+2)
	}
	at := rect{w: min(width+2, m.width), h: min(len(lines)+2, l.footer.y-1)}
	at.x, at.y = m.width-at.w, l.footer.y-at.h
	frame := dialog.Rect{X: at.x, Y: at.y, W: at.w, H: at.h}
	return at, frame.Framed(pressed+" "+th.Glyphs.Ellipsis, "", lines, th)
}
