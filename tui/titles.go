package tui

import (
	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"lens/tui/dialog"
	"lens/tui/theme"
)

// Conversations whose title has the words of the query: turns are ranked by their texts, so a conversation that is
// only named so would be missed.

// tellsTitles reports whether the line below the title of the list names such conversations.
func (m *model) tellsTitles(l layout) bool {
	return m.isSearching() && m.found.Peek != nil && len(m.found.Peek.Titles) > 0 && l.matches.h >= leastTold
}

// titlesLine names these conversations, as many as fit.
func (m *model) titlesLine(width int) string {
	line := ""
	for i, t := range m.found.Peek.Titles {
		if i == 0 {
			line = " In titles (A): " + t.Title
			continue
		}
		next := m.ui.Theme.Remarks(line, t.Title)
		if theme.Width(next) > width {
			break
		}
		line = next
	}
	return ansi.Truncate(line, width, m.ui.Theme.Glyphs.Ellipsis)
}

// openTitles lists these conversations. Selecting one opens its first turn.
func (m *model) openTitles() tea.Cmd {
	if m.found.Peek == nil || m.finder.IsStale() || len(m.found.Peek.Titles) == 0 {
		m.footer.Say("No title has the words of the query")
		return nil
	}
	var items []dialog.Item
	for _, t := range m.found.Peek.Titles {
		items = append(items, dialog.Item{Label: t.Title, Do: func() tea.Cmd {
			m.openTurn(t.FirstTurn, m.places.push)
			m.focus = paneTurn
			return nil
		}})
	}
	return m.openMenu(dialog.MenuOptions{
		Title: "In titles: enter opens the first turn",
		None:  "No such title",
		Items: items,
	})
}
