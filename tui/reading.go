package tui

import (
	tea "charm.land/bubbletea/v2"
	"github.com/google/uuid"
)

// Commands of the list and of the turn pane.

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
		m.notice = "No match selected"
		return nil
	}
	m.shown, m.focus = m.followed, paneTurn
	return nil
}

func scroll(n int) func(*model) tea.Cmd {
	return func(m *model) tea.Cmd {
		m.page.Scroll(n)
		return nil
	}
}

func scrollPages(n int) func(*model) tea.Cmd {
	return func(m *model) tea.Cmd {
		m.page.ScrollPage(n)
		return nil
	}
}

func (m *model) toTop() tea.Cmd {
	m.page.Home()
	return nil
}

func (m *model) toEnd() tea.Cmd {
	m.page.End()
	return nil
}

func nextHit(direction int) func(*model) tea.Cmd {
	return func(m *model) tea.Cmd {
		if !m.page.NextHit(direction) {
			m.notice = m.noHit()
		}
		return nil
	}
}

func nextCode(direction int) func(*model) tea.Cmd {
	return func(m *model) tea.Cmd {
		if !m.page.NextCode(direction) {
			m.notice = "No more code in this turn"
		}
		return nil
	}
}

// noHit says why there is no further hit in the turn.
func (m *model) noHit() string {
	switch lines, inRaw := m.page.Hits(); {
	case !m.isSearching():
		return "No query. Search first"
	case inRaw:
		return "Only the raw text has it (m shows it)"
	case lines == 0:
		return "No hits in this turn"
	}
	return "No more hits in this turn"
}

// neighbor opens the next or previous turn of the conversation.
func neighbor(next bool) func(*model) tea.Cmd {
	return func(m *model) tea.Cmd {
		if m.opened == nil {
			return nil
		}
		id, refusal := m.opened.Prev, "First turn of the conversation"
		if next {
			id, refusal = m.opened.Next, "Last turn of the conversation"
		}
		if id == nil {
			m.notice = refusal
			return nil
		}
		m.shown = *id
		return nil
	}
}

func (m *model) toggleRaw() tea.Cmd {
	if m.isUnreadable() {
		return m.showStored()
	}
	m.raw = !m.raw
	return nil
}
