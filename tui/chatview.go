package tui

import (
	"fmt"
	"strings"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"lens/tui/chat"
	"lens/tui/ui"
)

// Drawing the chat: a title, the exchanges, and the input at the bottom.

type answers = chat.Drawing

// mostInput is the greatest height of the input.
const mostInput = 4

// chatRects divides the pane into exchanges and input.
func (m *model) chatRects(r rect) (words, input rect) {
	rows := m.talk.InputRows(r.w, max(1, min(mostInput, (r.h-1)/2)))
	return rect{r.x, r.y + 1, r.w, r.h - 1 - rows}, rect{r.x, r.y + r.h - rows, r.w, rows}
}

func (m *model) chatView(r rect) []string {
	words, input := m.chatRects(r)
	lines := []string{m.chatTitle(r.w)}
	lines = append(lines, m.chatWords(words)...)
	typed, _, _ := m.talk.InputView(input.w, input.h, m.focus == paneAsk, m.chatInvitation(), m.ui.Theme)
	return append(lines, typed...)
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
	if remark := m.chatRemark(); remark != "" {
		title += " " + m.ui.Theme.Dim.Render(remark) + " "
	}
	rest := width - ansi.StringWidth(title)
	return m.ui.Theme.Fit(title+m.ui.Theme.Dim.Render(strings.Repeat(m.ui.Theme.Glyphs.Horizontal, max(0, rest))), width)
}

// chatRemark returns the model and, while it answers, the elapsed time.
func (m *model) chatRemark() string {
	last := m.talk.Last()
	if m.talk.stream != nil && last != nil {
		wait := m.ui.Now().Sub(last.Asked).Seconds()
		return m.ui.Theme.Remarks(fmt.Sprintf("%s %.0f s", m.opts.Chat.Model, wait), "esc stops")
	}
	words := []string{m.opts.Chat.Model}
	if last != nil && len(last.Citations) > 0 {
		words = append(words, "1-9 enter opens a citation")
	}
	return m.ui.Theme.Remarks(append(words, ui.Line(m.talk.session.Name))...)
}

// chatWords draws the exchanges, below them the privacy note until the first question.
func (m *model) chatWords(r rect) []string {
	var before []string
	if note := m.chatNote(); note != "" {
		wrapped := ansi.Wrap(note, max(1, r.w), "")
		for line := range strings.SplitSeq(wrapped, "\n") {
			before = append(before, m.ui.Theme.Dim.Render(line))
		}
	}
	if m.talk.Last() == nil {
		return m.ui.Theme.Block(append([]string{""}, before...), r.w, r.h)
	}
	n := min(len(before), max(0, r.h-1))
	lines := m.talk.View(r.w, r.h-n, m.ui.Now().In(m.ui.Zone), m.ui.Theme)
	return append(lines, m.ui.Theme.Block(before[:n], r.w, n)...)
}

// chatNote says where questions go, before the first one of a run, or why there is no chat model.
func (m *model) chatNote() string {
	c := m.opts.Chat
	switch {
	case c.Investigate == nil:
		return m.chatless()
	case m.talk.asked:
		return ""
	case c.Local:
		return fmt.Sprintf("Your question and the turns that %s reads go to %s, on this machine.", c.Model, c.Host)
	}
	return fmt.Sprintf("Your question and the turns that %s reads are sent to %s.", c.Model, c.Host)
}

// chatless says why there is no chat model and how to get one.
func (m *model) chatless() string {
	if m.opts.Chat.Err == nil {
		return "The chat is not available here"
	}
	f := m.explained(m.opts.Chat.Err)
	if f.hint == "" {
		return f.message
	}
	return f.message + ": " + f.hint
}

func (m *model) chatInvitation() string {
	switch {
	case m.opts.Chat.Investigate == nil:
		return ""
	case m.focus != paneAsk:
		return "c to ask"
	case m.talk.Last() != nil:
		return "Ask a follow-up (up edits the last question)"
	}
	return "Ask about your archive (enter sends)"
}

// askCursor returns the position of the terminal's cursor in the input.
func (m *model) askCursor() (x, y int) {
	r := m.layout().chat
	if r.isEmpty() {
		return -1, 0
	}
	_, input := m.chatRects(r)
	_, x, y = m.talk.InputView(input.w, input.h, true, "", m.ui.Theme)
	return input.x + x, input.y + y
}

// chaseAnswers renders answers, one job at a time; the next job includes everything received meanwhile.
func (m *model) chaseAnswers() tea.Cmd {
	width := m.layout().chat.w
	if width <= 0 || m.lanes.answers.Waiting(m.ui.Now()) > 0 {
		return nil
	}
	todo, ok := m.talk.Undrawn(width, m.ui.Theme)
	if !ok {
		return nil
	}
	_, gen, ok := m.lanes.answers.Ask(m.ui.Ctx, m.lanes.answers.Key()+1, m.ui.Now())
	if !ok {
		return nil
	}
	return m.drawCmd(gen, todo)
}

// clickChat opens the citation under the pointer, else focuses the part of the pane that was clicked.
func (m *model) clickChat(at tea.Mouse) tea.Cmd {
	l := m.layout()
	if cmd, taken := m.clickTab(at, paneChat, l.chat); l.tabs && taken {
		return cmd
	}
	words, input := m.chatRects(l.chat)
	if input.holds(at.X, at.Y) {
		return m.openChat()
	}
	m.focus = paneChat
	if c, ok := m.talk.At(at.X-words.x, at.Y-words.y); ok {
		return m.jumpTo(c)
	}
	return nil
}
