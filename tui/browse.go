package tui

import (
	"fmt"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"lens/tui/search"
	"lens/tui/theme"
)

// Without a query the list shows the turns in view by time, newest first, and the conversations with the most of them.

// listName is the title of the list.
func (m *model) listName() string {
	if m.isSearching() {
		return "Matches"
	}
	return "Turns"
}

func (m *model) countFound(n int) string {
	if m.isSearching() {
		return theme.Count(n, "match", "matches")
	}
	return theme.Count(n, "turn", "turns")
}

// browsedRemark returns which turns are listed, and of how many.
func (m *model) browsedRemark() string {
	which := "newest"
	if m.found.Order == search.OldestFirst {
		which = "oldest"
	}
	shown, _ := m.timeline.Tally()
	if n := m.list.Len(); n < shown {
		return which + " " + theme.Number(n) + " of " + theme.Number(shown)
	}
	return which + " first"
}

// leastTold is the least height of the list that leaves room for the most active conversations.
const leastTold = 6

// tellsFullest reports whether the line below the title names the most active conversations. It stays while they are
// counted.
func (m *model) tellsFullest(l layout) bool {
	return !m.isSearching() && m.found.Peek != nil && l.matches.h >= leastTold &&
		len(m.bar.Query().Filter.Conversations.In) == 0 && (len(m.found.Fullest) > 0 || m.found.Key != m.wantedFind())
}

// listTop is the number of lines above the rows of the list.
func (m *model) listTop(l layout) int {
	if m.tellsFullest(l) || m.tellsTitles(l) {
		return 2
	}
	return 1
}

// fullestLine names the conversations with the most turns in view, as many as fit.
func (m *model) fullestLine(width int) string {
	if m.found.Key != m.wantedFind() {
		return ""
	}
	line := " most active: "
	for i, f := range m.found.Fullest {
		count := fmt.Sprintf(" (%s)", theme.Number(f.Turns))
		if i == 0 {
			line += ansi.Truncate(f.Title, max(0, width-len(line)-len(count)), m.ui.Theme.Glyphs.Ellipsis) + count
			continue
		}
		if next := line + ", " + f.Title + count; ansi.StringWidth(next) <= width {
			line = next
		}
	}
	return line
}

// addFullest lists the bin with the most turns, to look at, and the most active conversations, to filter by.
func (m *model) addFullest(add func(label, right string, do func() tea.Cmd)) {
	if busiest, ok := m.timeline.Busiest(); ok {
		label := "Busiest " + m.timeline.Zoom().Unit().String() + ": " + busiest.Name()
		add(label, theme.Count(busiest.Count, "turn", "turns"), m.lookAt(busiest.Span))
	}
	if m.found.Key != m.wantedFind() || len(m.bar.Query().Filter.Conversations.In) > 0 {
		return
	}
	for _, f := range m.found.Fullest {
		add("Conversation "+m.ui.Theme.Quoted(f.Title), theme.Count(f.Turns, "turn", "turns"), func() tea.Cmd {
			m.bar.OnlyConversation(f.Conversation)
			return nil
		})
	}
}
