package app

import (
	"strings"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"lens/tui/chat"
)

// Where the chat is on the screen, its title, and its focus. The chat itself is tui/chat.

// Chat is a chat model that answers questions about the archive. The zero value means there is none.
type Chat = chat.Options

// openChat shows the chat and focuses its input.
func (m *model) openChat() tea.Cmd { return m.chat.Ask() }

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

// chatTitle draws the title and the status, with a rule between them where the turn is above.
func (m *model) chatTitle(width int) string {
	th, remark := m.ui.Theme, m.chat.Remark()
	if m.layout().tabs {
		return m.tabHead(paneChat, paneTable[paneChat].title, remark, "", width)
	}
	title := th.Title(paneTable[paneChat].title, m.isChatting())
	if remark != "" {
		remark = " " + remark
	}
	rest := width - ansi.StringWidth(title) - ansi.StringWidth(remark)
	rule := th.Rule.Render(strings.Repeat(th.Glyphs.Horizontal, max(0, rest)))
	return th.Fit(title+rule+th.Dim.Render(remark), width)
}

// chatNeeds returns how many lines the last answer needs, with the title and the input.
func (m *model) chatNeeds() int {
	r := m.layout().at[paneChat]
	if n := m.chat.Needs(paneChat.inside(r).w); n > 0 {
		return n + 2
	}
	return 0
}

// chatCursor returns the position of the terminal's cursor in the input.
func (m *model) chatCursor() (x, y int) {
	x, y = m.chat.Cursor()
	if x < 0 {
		return x, y
	}
	in := paneChat.inside(m.layout().at[paneChat])
	return in.x + x, in.y + y
}
