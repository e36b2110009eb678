package tui

import (
	"strings"

	tea "charm.land/bubbletea/v2"

	"lens/tui/querybar"
)

// What is said where a search left nothing: which filter did it, and the keys that undo it from where the cursor is.

// noMatchLines say which filter left nothing, and how to be rid of it.
func (m *model) noMatchLines() []string {
	elsewhere, known := m.elsewhere()
	if m.zoom.isAll() || known && elsewhere == "" {
		return m.nothingLines()
	}
	key, dim := m.theme.Accent.Render, m.theme.Dim.Render
	lines := []string{"", dim("  No matches in this window")}
	if !m.isSearching() {
		lines[1] = dim("  No turns in this window")
	}
	if known {
		lines = append(lines, dim("  The whole archive has "+elsewhere))
	}
	leave := "  "
	if m.focus != paneHistogram { // 0 is for its keys, and in the query it is a figure
		leave += key(m.keyTo(paneHistogram)) + dim(", then ")
	}
	return append(lines, leave+key("0")+dim(" show all "+m.theme.Glyphs.Separator+" ")+key("u")+dim(" back"))
}

// nothingLines say that nothing at all matches, and what may have been meant.
func (m *model) nothingLines() []string {
	dim := m.theme.Dim.Render
	lines := []string{"", dim("  No matches")}
	meant, _ := m.meant.get(m.query())
	switch {
	case m.narrow != narrowing{}:
		return append(lines, dim("  Filters: "+strings.Join(m.narrow.words(), ", ")+"; ")+m.theme.Accent.Render("2 f")+dim(" changes them"))
	case meant != "":
		return append(lines, dim("  Did you mean ")+m.theme.Quoted(meant)+dim("?  ")+m.theme.Accent.Render("ctrl+n")+dim(" accepts"))
	}
	return []string{"", dim("  No matches. Try other words")}
}

// takeMeant searches for what was probably meant.
func (m *model) takeMeant() tea.Cmd {
	meant, _ := m.meant.get(m.query())
	if meant == "" {
		m.notice = "No suggestion"
		return nil
	}
	m.seek(func() { m.bar, m.typing = querybar.New(meant), false })
	return nil
}

// keyTo names the key that leads to a pane from the one that has the focus.
func (m *model) keyTo(p pane) string {
	if m.focus == paneQuery {
		return "esc"
	}
	return string(rune('0' + p))
}

// elsewhere counts what all time has of the query, "" for nothing; false as long as that is not known.
func (m *model) elsewhere() (count string, known bool) {
	all, ok := m.finds.get(m.findIn(span{}))
	switch {
	case !ok:
		return "", false
	case all.peek.Histogram.Total == 0:
		return "", true
	case all.peek.Coverage.Truncated:
		return "more than " + m.countFound(all.peek.Histogram.Total), true
	}
	return m.countFound(all.peek.Histogram.Total), true
}
