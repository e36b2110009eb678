package tui

import (
	"strings"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"lens/tui/chat"
	"lens/tui/ui"
)

// Where the chat is on the screen, its title, and its focus. The chat itself is tui/chat.

// Chat is a chat model that answers questions about the archive. The zero value means there is none.
type Chat = chat.Options

// chatPlace is where the chat is.
type chatPlace struct {
	open  bool // on the screen
	front bool // it covers the turn where both do not fit
}

// openChat shows the chat and focuses its input.
func (m *model) openChat() tea.Cmd { return m.chat.Ask() }

// focusChat moves the focus to a part of the chat. Nothing closes it.
func (m *model) focusChat(f chat.Focus) {
	switch f {
	case chat.OnQuestion:
		focusOn(paneAsk)(m)
	case chat.OnAnswers:
		focusOn(paneChat)(m)
	default:
		m.chatAt.open = false
		focusOn(paneTurn)(m)
	}
}

// chatFocus returns the part of the chat that has the focus.
func (m *model) chatFocus() chat.Focus {
	switch m.focus {
	case paneAsk:
		return chat.OnQuestion
	case paneChat:
		return chat.OnAnswers
	}
	return chat.OnNothing
}

// isChatting reports whether the chat has the focus.
func (m *model) isChatting() bool { return m.chatFocus() != chat.OnNothing }

func (m *model) chatView(r rect) []string {
	return append([]string{m.chatTitle(r.w)}, m.chat.View()...)
}

// chatTitle draws a rule with the title and the status.
func (m *model) chatTitle(width int) string {
	focus := m.focus
	if focus == paneAsk {
		focus = paneChat
	}
	title := " " + m.ui.Theme.Bold.Render("Chat") + " "
	switch {
	case m.layout().tabs:
		title = m.tabs(focus)
	case focus == paneChat:
		title = m.ui.Theme.Focus.Render(" Chat ")
	}
	if remark := m.chat.Remark(); remark != "" {
		title += " " + m.ui.Theme.Dim.Render(remark) + " "
	}
	rest := width - ansi.StringWidth(title)
	return m.ui.Theme.Fit(title+m.ui.Theme.Dim.Render(strings.Repeat(m.ui.Theme.Glyphs.Horizontal, max(0, rest))), width)
}

// chatCursor returns the position of the terminal's cursor in the input.
func (m *model) chatCursor() (x, y int) {
	x, y = m.chat.Cursor()
	if x < 0 {
		return x, y
	}
	r := m.layout().chat
	return r.x + x, r.y + 1 + y
}

// clickChat focuses the part of the chat at a cell, or opens the citation there.
func (m *model) clickChat(at tea.Mouse) tea.Cmd {
	l := m.layout()
	if cmd, taken := m.clickTab(at, paneChat, l.chat); l.tabs && taken {
		return cmd
	}
	m.chat.Click(at.X-l.chat.x, at.Y-l.chat.y-1)
	return nil
}

// chatKeys are the commands of the answers.
func (b binder) chatKeys() []ui.Command { return b.m.chat.Commands() }

// askKeys are the commands of the question, and those of the app that work while one types.
func (b binder) askKeys() []ui.Command {
	keys := append(b.m.chat.QuestionCommands(),
		b.on("next-pane", "tab", "", focusOn(paneHistogram)),
		b.on("previous-pane", "shift+tab", "", focusOn(paneTurn)),
	)
	for _, c := range b.queryKeys() {
		switch c.ID {
		case "interrupt", "suspend", "redraw", "commands":
			keys = append(keys, c)
		}
	}
	return keys
}
