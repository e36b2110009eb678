package tui

import (
	tea "charm.land/bubbletea/v2"

	"lens/tui/theme"
)

// Without a query the list shows the turns in view by time, newest first, and the conversations with the most of them.

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
