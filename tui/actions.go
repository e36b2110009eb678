package tui

import (
	"slices"

	tea "charm.land/bubbletea/v2"
	"github.com/google/uuid"

	"lens/tui/querybar"
)

// Commands that work in any pane. They only change the state; chase.go derives the requests from it.

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

func (m *model) maximizePane() tea.Cmd {
	m.maximized = !m.maximized
	return nil
}

func (m *model) nextTheme() tea.Cmd {
	m.themed = true
	m.setTheme(m.ui.Theme.Name.Next())
	m.footer.Say("Theme: " + string(m.ui.Theme.Name))
	return nil
}

// redraw repaints the screen and repeats requests that failed or were canceled.
func (m *model) redraw() tea.Cmd {
	m.failed = map[pane]failure{}
	m.lanes.open.Forget()
	if m.overview == nil {
		m.lanes.survey.Forget()
	}
	m.timeline.Retry()
	m.finder.Retry()
	m.lanes.values.Forget()
	m.reader.Retry()
	return tea.ClearScreen
}

// suspend returns the terminal to the shell. An encrypted archive is locked first.
func (m *model) suspend() tea.Cmd {
	if m.hasVault() {
		return tea.Sequence(m.lock(), tea.Suspend)
	}
	return tea.Suspend
}

// interrupt cancels everything in progress, or quits when nothing is.
func (m *model) interrupt() tea.Cmd {
	if m.stopAll() {
		m.footer.Say("Canceled (ctrl+c again quits)")
		return nil
	}
	return tea.Quit
}

func (m *model) quit() tea.Cmd { return tea.Quit }

// edit returns a command that changes the query.
func edit(change func(*bar)) func(*model) tea.Cmd {
	return func(m *model) tea.Cmd {
		before := m.query()
		change(&m.bar)
		m.giveUpExemplar()
		if m.query() != before {
			m.typed()
		}
		return nil
	}
}

// deleteBack deletes the character before the cursor, and at the beginning of the query the last chip.
func (m *model) deleteBack() tea.Cmd {
	if m.bar.Cursor() == 0 && m.like.Turn == uuid.Nil {
		return m.dropLastChip()
	}
	return edit((*bar).Backspace)(m)
}

// insert types text into the query, or into the question when the chat has the focus.
func (m *model) insert(text string) {
	if m.isChatting() {
		m.chat.Update(tea.PasteMsg{Content: text})
		return
	}
	m.focus = paneQuery
	edit(func(b *bar) { b.Insert(text) })(m)
}
