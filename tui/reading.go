package tui

import (
	tea "charm.land/bubbletea/v2"
	"github.com/google/uuid"
)

// Commands of the list.

func moveRows(n int) func(*model) tea.Cmd {
	return func(m *model) tea.Cmd {
		m.list.Move(n)
		m.choose, m.landing = uuid.Nil, uuid.Nil
		m.follow()
		return nil
	}
}

// movePages moves by half pages.
func movePages(n int) func(*model) tea.Cmd {
	return func(m *model) tea.Cmd {
		l := m.layout()
		return moveRows(n * max(1, m.listOptions(l).Page(l.matches.h-m.listTop(l))/2))(m)
	}
}

// readMatch opens the match under the cursor and focuses the turn.
func (m *model) readMatch() tea.Cmd {
	if m.list.Len() == 0 {
		m.footer.Say("No match selected")
		return nil
	}
	m.showTurn(m.followed)
	m.focus = paneTurn
	return nil
}
