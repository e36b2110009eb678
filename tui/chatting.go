package tui

import (
	"context"
	"iter"
	"strconv"
	"strings"

	tea "charm.land/bubbletea/v2"

	"lens/agent"
	"lens/tui/chat"
)

// The chat: a model that investigates the archive with the same controls that a user has. following.go moves the
// panes along, chatcmd.go receives its events, conversations.go saves chats.

// Chat is a chat model that answers questions about the archive. The zero value means there is none.
type Chat struct {
	Model string // its name, for display
	Host  string // the host that receives the questions and the turns that are read
	Local bool   // Host is this machine
	Err   error  // why there is no model; see Options.Explain

	// Investigate is agent.Run with this model, for a conversation whose last message is the question.
	Investigate func(ctx context.Context, messages []agent.Message) iter.Seq2[agent.Event, error]

	// Load returns the saved chats, Keep saves one. nil: chats are not saved.
	Load func() ([]agent.Session, error)
	Keep func(agent.Session) error
}

// talk is the current chat and its state.
type talk struct {
	chat.Pane
	open    bool // the pane is on the screen
	front   bool // it covers the turn where both do not fit
	session agent.Session
	stream  *stream       // nil: no answer in progress
	asked   bool          // a question was sent in this run, so the privacy note is gone
	unkept  bool          // an exchange ended since the chat was saved
	editing bool          // the input replaces the last question
	number  string        // the digits typed of a citation
	saving  chan struct{} // closed when the last save is done; nil: there was none
}

// openChat shows the chat and focuses its input.
func (m *model) openChat() tea.Cmd {
	m.talk.open, m.talk.number = true, ""
	return focusOn(paneAsk)(m)
}

// leaveAsk moves the focus from the input to the answers and keeps the input.
func (m *model) leaveAsk() tea.Cmd {
	if m.stopTalk() {
		return nil
	}
	m.talk.editing = false
	return focusOn(paneChat)(m)
}

// leaveChat stops the answer in progress, else closes the pane. The chat is kept.
func (m *model) leaveChat() tea.Cmd {
	switch {
	case m.talk.number != "":
		m.talk.number = ""
		return nil
	case m.stopTalk():
		return nil
	}
	m.talk.open = false
	return focusOn(paneTurn)(m)
}

// asking returns a command that edits the question.
func (b binder) asking(name, keys, group string, change func(*bar)) command {
	c := b.on(name, keys, group, func(m *model) tea.Cmd {
		change(&m.talk.Input)
		return nil
	})
	c.edit = change
	return c
}

func breakLine(b *bar) { b.InsertLines("\n") }

// riseInput moves the cursor a line up. In an empty input it recalls the last question for editing.
func (m *model) riseInput() tea.Cmd {
	if !m.talk.RiseInput(m.layout().chat.w, 1) && m.talk.Input.Text() == "" {
		if last := m.talk.Last(); last != nil {
			m.talk.Input.InsertLines(last.Question)
			m.talk.editing = true
		}
	}
	return nil
}

func (m *model) sinkInput() tea.Cmd {
	m.talk.RiseInput(m.layout().chat.w, -1)
	return nil
}

// send sends the question; a number alone opens that citation.
func (m *model) send() tea.Cmd {
	text := strings.TrimSpace(m.talk.Input.Text())
	if n, ok := citationNumber(text); ok {
		m.talk.Input = bar{}
		return m.jump(n)
	}
	switch {
	case text == "":
		return nil
	case m.opts.Chat.Investigate == nil:
		m.notice = m.chatless()
		return nil
	case m.engine == nil:
		m.notice = "The archive isn't open yet"
		return nil
	}
	if m.talk.editing {
		m.replaceLast()
	}
	m.talk.Input = bar{}
	return m.investigate(text)
}

// citationNumber reads "2" and "[2]".
func citationNumber(text string) (int, bool) {
	if inside, ok := strings.CutPrefix(text, "["); ok {
		text = strings.TrimSuffix(inside, "]")
	}
	n, err := strconv.Atoi(text)
	return n, err == nil && n > 0 && n < 1000
}

// replaceLast removes the last exchange, before its question is edited or repeated, unless it is a conclusion.
func (m *model) replaceLast() {
	if last := m.talk.Last(); last != nil && !last.Conclusion {
		m.stopTalk()
		m.talk.DropLast()
	}
}

// retry asks the last question again.
func (m *model) retry() tea.Cmd {
	last := m.talk.Last()
	if last == nil || m.opts.Chat.Investigate == nil || m.engine == nil {
		m.notice = "No question to ask again"
		return nil
	}
	m.replaceLast()
	return m.investigate(last.Question)
}

// investigate sends a question. It stops an answer in progress, which keeps what it has.
func (m *model) investigate(question string) tea.Cmd {
	m.stopTalk()
	m.talk.asked, m.talk.editing, m.talk.number = true, false, ""
	messages := append(m.spoken().Messages(), agent.Message{Role: agent.User, Text: question})
	m.talk.Add(question, m.ui.Now())
	m.focus = paneChat
	ctx, cancel := context.WithCancel(m.ui.Ctx)
	m.talk.stream = newStream(ctx, cancel)
	return tea.Batch(m.hearCmd(m.talk.stream, m.opts.Chat.Investigate, messages), m.listenCmd(m.talk.stream))
}

// stopTalk stops the answer in progress, keeps what it has, and reports whether there was one.
func (m *model) stopTalk() bool {
	s := m.talk.stream
	if s == nil {
		return false
	}
	s.cancel()
	events, _, _ := s.take()
	m.hear(events)
	m.talk.stream, m.talk.unkept = nil, true
	m.talk.Last().Stop()
	return true
}

// takeHeard applies events of the current stream and handles its end.
func (m *model) takeHeard(msg heardMsg) tea.Cmd {
	if msg.from != m.talk.stream {
		return nil
	}
	m.hear(msg.events)
	if !msg.over {
		return m.listenCmd(msg.from)
	}
	m.talk.stream.cancel()
	m.talk.stream, m.talk.unkept = nil, true
	if last := m.talk.Last(); msg.err != nil {
		f := m.trouble("asking the model", msg.err)
		last.Fail(f.message, f.hint)
	} else {
		last.Stop() // no effect if it is done
	}
	return nil
}

func (m *model) hear(events []agent.Event) {
	for _, e := range events {
		e = cleanEvent(e)
		m.talk.Last().Hear(e, m.ui.Now())
		m.followAgent(e)
	}
}

// typeNumber collects the digits of a citation and opens it. In the chat digits mean citations, not panes.
func (m *model) typeNumber(key string) (cmd tea.Cmd, taken bool) {
	if m.focus != paneChat {
		return nil, false
	}
	number := m.talk.number
	switch {
	case len(key) == 1 && key >= "0" && key <= "9" && len(number) < 4, key == "[" && number == "":
		m.talk.number += key
		m.notice = "Citation " + m.talk.number + m.ui.Theme.Glyphs.Ellipsis + " enter opens it"
		return nil, true
	case number != "" && (key == "enter" || key == "]"):
		m.talk.number = ""
		if n, ok := citationNumber(number); ok {
			return m.jump(n), true
		}
		return nil, true
	}
	if key != "esc" {
		m.talk.number = ""
	}
	return nil, false
}

// jump opens the turn of a citation number.
func (m *model) jump(n int) tea.Cmd {
	c, ok := m.talk.Cited(n)
	if !ok {
		m.notice = "No citation [" + strconv.Itoa(n) + "]"
		return nil
	}
	return m.jumpTo(c)
}

// jumpTo opens the turn of a citation and adds it to the history.
func (m *model) jumpTo(c agent.Citation) tea.Cmd {
	m.openTurn(idOf(c.TurnID), m.places.push)
	m.focus = paneTurn
	return nil
}

func scrollTalk(n int) func(*model) tea.Cmd {
	return func(m *model) tea.Cmd {
		m.talk.Scroll(n)
		return nil
	}
}

func scrollTalkPages(n int) func(*model) tea.Cmd {
	return func(m *model) tea.Cmd {
		m.talk.ScrollPage(n)
		return nil
	}
}

func (m *model) toTalkTop() tea.Cmd {
	m.talk.Home()
	return nil
}

func (m *model) toTalkEnd() tea.Cmd {
	m.talk.End()
	return nil
}

func (m *model) foldSteps() tea.Cmd {
	m.talk.ToggleFold()
	return nil
}

// isChatting reports whether the chat has the focus.
func (m *model) isChatting() bool { return m.focus == paneChat || m.focus == paneAsk }
