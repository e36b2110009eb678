package tui

import (
	"slices"

	tea "charm.land/bubbletea/v2"

	"lens/tui/querybar"
)

// What keys do, wherever the focus is. Actions only change the state: what it then takes is chased afterwards.

type bar = querybar.Bar

func focusOn(p pane) func(*model) tea.Cmd {
	return func(m *model) tea.Cmd {
		m.focus, m.typing = p, false
		return nil
	}
}

func nextPane(step int) func(*model) tea.Cmd {
	return func(m *model) tea.Cmd {
		ring := m.ring()
		at := max(0, slices.Index(ring, m.focus))
		m.focus = ring[(at+step+len(ring))%len(ring)]
		return nil
	}
}

func (m *model) maximise() tea.Cmd {
	m.maximised = !m.maximised
	return nil
}

func (m *model) nextTheme() tea.Cmd {
	m.themed = true
	m.setTheme(m.theme.Name.Next())
	m.notice = "theme: " + string(m.theme.Name)
	return nil
}

// redraw draws the screen anew, and asks anew what failed or was cancelled.
func (m *model) redraw() tea.Cmd {
	m.failed = map[pane]failure{}
	m.lanes.open.forget()
	if m.overview == nil {
		m.lanes.survey.forget()
	}
	m.lanes.hours.forget()
	m.lanes.peek.forget()
	m.lanes.turn.forget()
	return tea.ClearScreen
}

// suspend gives the terminal back until the explorer is resumed; a guarded archive is locked before.
func (m *model) suspend() tea.Cmd {
	if m.hasVault() {
		return tea.Sequence(m.lock(), tea.Suspend)
	}
	return tea.Suspend
}

// interrupt cancels what is under way; when nothing is, it quits.
func (m *model) interrupt() tea.Cmd {
	if m.stopAll() {
		m.notice = "cancelled; ctrl+c again quits"
		return nil
	}
	return tea.Quit
}

func (m *model) quit() tea.Cmd { return tea.Quit }

// edit changes the query.
func edit(change func(*bar)) func(*model) tea.Cmd {
	return func(m *model) tea.Cmd {
		before := m.query()
		if !m.typing {
			m.places.replace(m.place())
		}
		change(&m.bar)
		m.like = exemplar{}
		if m.query() != before {
			m.typed()
		}
		return nil
	}
}

// insert types text into the query, from wherever the focus is but the chat, which has a question of its own.
func (m *model) insert(text string) {
	if m.isChatting() {
		m.openChat()
		m.talk.Input.InsertLines(text)
		return
	}
	m.focus = paneQuery
	edit(func(b *bar) { b.Insert(text) })(m)
}
