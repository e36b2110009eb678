package tui

import (
	"strings"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"lens/tui/dialog"
	"lens/tui/search"
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
	if m.found.Peek == nil || m.isStale() || len(m.found.Peek.Titles) == 0 {
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

// titles returns the titles of the latest results, for completion: those on the screen first.
func (m *model) titles() []string {
	var all []string
	known := map[string]bool{"": true}
	add := func(title string) {
		if key := strings.ToLower(title); !known[key] {
			known[key] = true
			all = append(all, title)
		}
	}
	for _, found := range append([]search.Result{m.found}, m.finds.Values()...) {
		if found.Peek == nil {
			continue
		}
		for _, t := range found.Peek.Titles {
			add(t.Title)
		}
		for i := range found.Peek.Matches {
			add(found.Peek.Matches[i].Title)
		}
	}
	return all
}
