package tui

import (
	"slices"

	"lens/tui/theme"
)

// nextPaneWords describes the key that moves to the next pane.
const nextPaneWords = "next pane"

// footerView shows the notice, else as many key hints as fit.
func (m *model) footerView(r rect) []string {
	if m.notice != "" {
		return []string{m.ui.Theme.Fit(m.ui.Theme.Warn.Render(m.notice), r.w)}
	}
	if !m.dialogs.IsOpen() && m.focus == paneQuery {
		if line := m.barLine(r.w); line != "" {
			return []string{m.ui.Theme.Fit(line, r.w)}
		}
	}
	told, last := m.footerHints()
	room := r.w - theme.Width(last) - 2
	line := ""
	for _, h := range told {
		if next := line + h + "  "; theme.Width(next) <= room {
			line = next
		}
	}
	return []string{m.ui.Theme.Fit(line+last, r.w)}
}

// footerHints returns the hints of the dialog, else those of the pane and the global ones. The help key is last and
// always has room.
func (m *model) footerHints() (told []string, last string) {
	if m.dialogs.IsOpen() {
		for _, b := range m.dialogs.Hints() {
			told = append(told, m.hint(hint{keys: b.Help().Key, does: b.Help().Desc}))
		}
		return told, ""
	}
	var pane []command
	if !m.isEmpty() {
		pane = m.keys.of(m.focus)
	}
	globals := hints(m.keys.global)
	if m.layout().alone && !m.focus.isTyped() && !m.isEmpty() { // the key to the other panes comes first
		for _, h := range globals {
			if h.does == nextPaneWords {
				told = append(told, m.hint(h))
			}
		}
	}
	for _, h := range hints(pane) {
		if h.footer {
			told = append(told, m.hint(h))
		}
	}
	for _, c := range m.keys.global {
		switch {
		case m.isEmpty() && c.ID == "quit":
			told = append(told, m.ui.Theme.Accent.Render(c.Keys()[0])+" "+m.ui.Theme.Dim.Render("quit"))
		case c.ID == "help" && !m.focus.isTyped() && len(c.Keys()) > 0:
			last = m.hint(hint{keys: c.Keys()[0], does: c.Group})
		}
	}
	if !m.focus.isTyped() && !m.isEmpty() {
		for _, h := range globals {
			if h.footer && h.does != "help" && !slices.Contains(told, m.hint(h)) {
				told = append(told, m.hint(h))
			}
		}
	}
	return told, last
}

func (m *model) hint(h hint) string {
	return m.ui.Theme.Accent.Render(h.keys) + " " + m.ui.Theme.Dim.Render(h.does)
}
