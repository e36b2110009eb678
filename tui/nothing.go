package tui

import (
	"strings"

	tea "charm.land/bubbletea/v2"
)

// Empty results: which filter removed the matches, and the keys that undo that from the focused pane.

// noMatchLines explains an empty list and how to undo it.
func (m *model) noMatchLines() []string {
	elsewhere, known := m.elsewhere()
	if m.timeline.Zoom().IsAll() || known && elsewhere == "" {
		return m.nothingLines()
	}
	key, dim := m.ui.Theme.Accent.Render, m.ui.Theme.Dim.Render
	lines := []string{"", dim("  No matches in this window")}
	if !m.isSearching() {
		lines[1] = dim("  No turns in this window")
	}
	if known {
		lines = append(lines, dim("  The whole archive has "+elsewhere))
	}
	leave := "  "
	if m.focus != paneHistogram { // 0 works in the histogram only; in the query it is text
		leave += key(m.keyTo(paneHistogram)) + dim(", then ")
	}
	return append(lines, leave+key("0")+dim(" show all "+m.ui.Theme.Glyphs.Separator+" ")+key("u")+dim(" back"))
}

// nothingLines says that the whole archive has no match, and suggests what to change.
func (m *model) nothingLines() []string {
	key, dim := m.ui.Theme.Accent.Render, m.ui.Theme.Dim.Render
	lines := []string{"", dim("  No matches")}
	meant := m.finder.Suggestion()
	chips := m.bar.Labels(m.bar.Sought())
	switch {
	case len(chips) > 0:
		lines = append(lines, dim("  Filters: "+strings.Join(chips, ", ")))
		leave := "  "
		if m.focus == paneQuery {
			leave += key("esc") + dim(", then ")
		}
		leave += key("X") + dim(" drops the last "+m.ui.Theme.Glyphs.Separator+" ") + key("2 f") + dim(" all filters")
		return append(lines, leave)
	case meant != "":
		return append(lines, dim("  Did you mean ")+m.ui.Theme.Quoted(meant)+dim("?  ")+key("ctrl+n")+dim(" accepts"))
	}
	return []string{"", dim("  No matches. Try other words")}
}

// takeMeant searches for the suggested spelling.
func (m *model) takeMeant() tea.Cmd {
	meant := m.finder.Suggestion()
	if meant == "" {
		m.footer.Say("No suggestion")
		return nil
	}
	m.seek(func() {
		q := m.bar.Query()
		q.Text = meant
		m.bar.Want(q, m.bar.Exemplar())
	})
	return nil
}

// keyTo returns the key that moves the focus to a pane.
func (m *model) keyTo(p pane) string {
	if m.focus == paneQuery {
		return "esc"
	}
	return string(rune('0' + p))
}

// elsewhere returns how many matches all time has, "" for none; false until that is known.
func (m *model) elsewhere() (count string, known bool) {
	n, more, known := m.finder.Elsewhere()
	switch {
	case n == 0:
		return "", known
	case more:
		return "more than " + m.countFound(n), true
	}
	return m.countFound(n), true
}
