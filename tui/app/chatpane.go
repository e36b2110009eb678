package app

import (
	tea "charm.land/bubbletea/v2"

	"lens/tui/chat"
)

// Where the chat is on the screen, its title, and its focus. The chat itself is tui/chat.

// Chat is a chat model that answers questions about the archive. The zero value means there is none.
type Chat = chat.Options

// openChat shows the chat and focuses its input.
func (m *model) openChat() tea.Cmd { return m.chat.Ask() }

// hidesChat reports whether the chat is not on the screen.
func (m *model) hidesChat() bool { return m.layout().at[paneChat].isEmpty() }

// focusChat moves the focus to a part of the chat. Nothing closes it.
func (m *model) focusChat(f chat.Focus) {
	switch f {
	case chat.OnQuestion:
		m.focusOn(paneQuestion)()
	case chat.OnAnswers:
		m.focusOn(paneChat)()
	default:
		m.chatAt.open = false
		m.focusOn(paneReader)()
	}
}

// settleChat moves the focus from answers that are none to the input.
func (m *model) settleChat() {
	if m.focus == paneChat && m.chat.IsMute() {
		m.focus = paneQuestion
	}
}

// chatFocus returns the part of the chat that has the focus.
func (m *model) chatFocus() chat.Focus {
	switch m.focus {
	case paneQuestion:
		return chat.OnQuestion
	case paneChat:
		return chat.OnAnswers
	}
	return chat.OnNothing
}

// chatNeeds returns how many lines the last answer needs, with the title and the input.
func (m *model) chatNeeds() int {
	const head = 3 // with the rule above it and a blank below
	l := m.layout()
	if n := m.chat.Needs(l.inside(paneChat).w); n > 0 {
		return n + head
	}
	return 0
}

// turnNeeds returns how many lines the open turn needs, with the title and a blank below that and before the chat.
func (m *model) turnNeeds() int {
	const around = 3
	if n := m.reader.Lines(); n > 0 {
		return n + around
	}
	return 0
}

// chatCursor returns the position of the terminal's cursor in the input.
func (m *model) chatCursor() (x, y int) {
	x, y = m.chat.Cursor()
	if x < 0 {
		return x, y
	}
	l := m.layout()
	in := l.inside(paneChat)
	return in.x + x, in.y + y
}
