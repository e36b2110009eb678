package app

import (
	"unicode"
	"unicode/utf8"

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

// uncapital returns a name as it is written within a sentence.
func uncapital(name string) string {
	first, size := utf8.DecodeRuneInString(name)
	return string(unicode.ToLower(first)) + name[size:]
}

// which returns where the keys are listed, and the list; an empty rectangle for nowhere.
func (m *model) which(l layout) (rect, []string) {
	if !m.lists || m.dialogs.IsOpen() {
		return rect{}, nil
	}
	pressed, th := keyLabel(m.chord[:len(m.chord)-len(then)]), m.ui.Theme
	var lines []string
	commands, column := m.keys.after(m.focus, m.chord[:len(m.chord)-len(then)]), 0
	for _, c := range commands {
		if o, _ := offerOf(c.ID); o.about != "" {
			column = max(column, theme.Width(nameOfCommand(c)))
		}
	}
	width := theme.Width(pressed) + 8
	for _, c := range commands {
		line := "   " + th.Key.Plain().Render(c.Keys()[0]) + "   "
		if o, _ := offerOf(c.ID); o.about != "" {
			line += th.Fit(uncapital(nameOfCommand(c)), column) + "  " + th.Dim.Render(o.about)
		} else {
			line += uncapital(nameOfCommand(c))
		}
		lines, width = append(lines, line), max(width, theme.Width(line)+3)
	}
	at := rect{w: min(width+3, m.width), h: min(len(lines)+2, l.footer.y-1)} // with a free column at the right
	at.x, at.y = m.width-at.w, max(1, l.footer.y-1-at.h)                     // above the line in which one types
	frame := dialog.Rect{X: at.x, Y: at.y, W: at.w - 1, H: at.h}
	return at, th.Block(frame.Framed(pressed+" "+th.Glyphs.Ellipsis, "", lines, th), at.w, at.h)
}
