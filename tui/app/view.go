package app

import (
	"fmt"

	tea "charm.land/bubbletea/v2"

	"lens/tui/theme"
)

// View draws the screen.
func (m *model) View() tea.View {
	if m.width == 0 || m.height == 0 {
		return tea.NewView("")
	}
	v := tea.NewView(m.frame().render(m.width, m.height))
	v.AltScreen = true
	v.WindowTitle = "Lens"
	v.ProgressBar = m.jobs.Bar()
	if !m.noMouse {
		v.MouseMode = tea.MouseModeCellMotion
	}
	if x, y := m.cursor(); x >= 0 {
		v.Cursor = tea.NewCursor(min(x, m.width-1), y)
		v.Cursor.Blink = false
	}
	return v
}

// cursor returns the position of the terminal's cursor; x < 0 for none.
func (m *model) cursor() (x, y int) {
	switch {
	case m.layout().tiny:
		return -1, 0
	case m.locked.IsShown():
		return m.locked.Cursor()
	case m.dialogs.IsOpen():
		if x, y, ok := m.dialogs.Cursor(); ok {
			return x, y
		}
	case m.focus == paneQuery:
		return m.bar.Column(), 0
	case m.focus == paneQuestion:
		return m.chatCursor()
	}
	return -1, 0
}

// frame draws the panes and the dialog. Their names identify what a click hits.
func (m *model) frame() sheet {
	l := m.layout()
	var s sheet
	switch {
	case l.tiny:
		s.place("footer", l.footer, m.tinyView)
		return s
	case m.locked.IsShown():
		s.place("lock", rect{0, 0, m.width, m.height}, func(rect) []string { return m.locked.View() })
		return s
	case m.archive.IsEmpty():
		s.place("query", l.at[paneQuery], func(rect) []string { return m.bar.View() })
		s.place("welcome", l.welcome(), func(rect) []string { return m.welcome.View() })
	default:
		for p := range paneCount {
			s.place(paneTable[p].name, l.at[p], func(r rect) []string { return m.draw(p, r) })
		}
		if !m.showsHome { // above home, an empty line
			s.place("crumb", l.crumb, func(rect) []string { return []string{m.timeline.Head()} })
		}
		s.place("rule", l.rule, m.ruleView)
		s.place("hint", l.hint, func(r rect) []string {
			return []string{m.ui.Theme.Fit(theme.Indented(m.ui.Theme.Dim.Render(m.hint)), r.w)}
		})
		s.sort()
	}
	s.place("footer", l.footer, func(rect) []string { return m.footer.View() })
	if at, lines := m.which(l); lines != nil {
		s.place("which", at, func(rect) []string { return lines })
		s[len(s)-1].over = true
	}
	if m.dialogs.IsOpen() {
		if m.dialogs.Fades() {
			s.fade(m.ui.Theme, l.footer.y)
		}
		at := m.dialogs.Place()
		s.place("dialog", rect{at.X, at.Y, at.W, at.H}, func(rect) []string { return m.dialogs.View() })
		s[len(s)-1].over = true
	}
	return s
}

func (m *model) ruleView(r rect) []string {
	lines := make([]string, r.h)
	for i := range lines {
		lines[i] = m.ui.Theme.Rule.Render(m.ui.Theme.Glyphs.Vertical)
	}
	return lines
}

func (m *model) tinyView(r rect) []string {
	const says = "Lens needs %dx%d (now %dx%d) - %s quits"
	text := fmt.Sprintf(says, leastWidth, leastHeight, m.width, m.height, m.ui.Key("quit"))
	return []string{m.ui.Theme.Fit(text, r.w)}
}
