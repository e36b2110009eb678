package tui

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	tea "charm.land/bubbletea/v2"
	"github.com/google/uuid"

	"lens/agent"
	"lens/tui/chat"
	"lens/tui/dialog"
	"lens/tui/ui"
)

// Saved chats: questions and final answers, without the steps. The list also shows the answers that were pinned as
// conclusions.

// spot is a position in the list of chats.
type spot struct {
	archived bool   // archived chats are listed, too
	at       string // the item under the cursor
	row      int    // used when that item is gone
}

// loadedMsg delivers the saved chats.
type loadedMsg struct {
	sessions []agent.Session
	err      error
	spot
}

// savedMsg reports the result of saving a chat.
type savedMsg struct {
	err  error
	done chan struct{} // of talk.saving
}

// spoken returns the current chat in its saved form.
func (m *model) spoken() agent.Session {
	s := m.talk.session
	s.Exchanges = nil
	for _, e := range m.talk.Exchanges() {
		s.Exchanges = append(s.Exchanges, e.Keep())
	}
	return s
}

// chaseTalk saves the chat whenever an exchange has ended.
func (m *model) chaseTalk() tea.Cmd {
	if !m.talk.unkept || m.talk.stream != nil {
		return nil
	}
	return m.keepTalk()
}

// keepTalk saves the chat, if it is not empty.
func (m *model) keepTalk() tea.Cmd {
	m.talk.unkept = false
	if m.opts.Chat.Keep == nil || m.talk.Last() == nil {
		return nil
	}
	return m.saveCmd(m.stamped())
}

// stamped returns the chat with an ID, a name and the current time.
func (m *model) stamped() agent.Session {
	s, now := m.spoken(), m.ui.Now().UTC()
	if s.ID == "" {
		s.ID, s.Created = uuid.NewString(), now
	}
	s.Name, s.Updated = cmp.Or(s.Name, nameOf(s.Exchanges[0].Question)), now
	m.talk.session = s
	return s
}

// nameOf returns the default name of a chat: its first question, shortened.
func nameOf(question string) string {
	name := []rune(ui.Line(question))
	return string(name[:min(len(name), 60)])
}

func (m *model) saveCmd(s agent.Session) tea.Cmd {
	keep, before, done := m.opts.Chat.Keep, m.talk.saving, make(chan struct{})
	m.talk.saving = done
	return m.ui.Tasks.Command(func() tea.Msg {
		defer close(done)
		if before != nil { // an older state must not overwrite a newer one
			select {
			case <-before:
			case <-m.ui.Ctx.Done():
			}
		}
		return savedMsg{keep(s), done}
	})
}

// newSession begins a new chat. The current one stays saved.
func (m *model) newSession() tea.Cmd {
	var cmd tea.Cmd
	if m.stopTalk() {
		cmd = m.keepTalk()
	}
	m.talk.session = agent.Session{}
	m.talk.Show(nil)
	return tea.Batch(cmd, m.openChat())
}

// pinAnswer marks or unmarks the last answer as a conclusion.
func (m *model) pinAnswer() tea.Cmd {
	last := m.talk.Last()
	if last == nil || last.State != chat.Answered {
		m.notice = "No answer to pin"
		return nil
	}
	last.Pin()
	m.notice = "Unpinned: no longer a conclusion"
	if last.Conclusion {
		m.notice = "Pinned as a conclusion (s lists it)"
	}
	m.talk.unkept = true
	return nil
}

// openSessions loads the saved chats; the list opens when they arrive.
func (m *model) openSessions() tea.Cmd { return m.loadSessions(spot{}) }

func (m *model) loadSessions(as spot) tea.Cmd {
	load := m.opts.Chat.Load
	if load == nil {
		m.notice = "Chats are not saved here"
		return nil
	}
	return m.ui.Tasks.Command(func() tea.Msg {
		sessions, err := load()
		return loadedMsg{sessions, err, as}
	})
}

func (m *model) takeLoaded(msg loadedMsg) tea.Cmd {
	if msg.err != nil {
		m.complain("loading chats", "Couldn't load the saved chats", msg.err)
		return nil
	}
	byID := map[string]agent.Session{}
	for _, s := range msg.sessions {
		s = cleanSession(s)
		byID[s.ID] = s
	}
	var list *dialog.Menu
	on := func(verb string, do func(agent.Session, spot) tea.Cmd) func(dialog.Item) (tea.Cmd, string) {
		return func(item dialog.Item) (tea.Cmd, string) {
			s, ok := byID[sessionOf(item.ID)]
			if !ok {
				return nil, "No chat to " + verb + " on this row"
			}
			return do(s, spot{msg.archived, item.ID, list.Row()}), ""
		}
	}
	list = dialog.NewMenu(m.ui, dialog.MenuOptions{
		Title: "Chats: enter resumes, ctrl+r renames, ctrl+t pins, ctrl+x archives",
		None:  "No such chat",
		Items: append([]dialog.Item{{Label: "New chat", Do: m.newSession}}, m.sessionItems(byID, msg.archived)...),
		Also: map[string]func(dialog.Item) (tea.Cmd, string){
			"ctrl+r": on("rename", m.rename),
			"ctrl+t": on("pin", m.changing(func(s *agent.Session) { s.Pinned = !s.Pinned })),
			"ctrl+x": on("archive", m.changing(func(s *agent.Session) { s.Archived = !s.Archived })),
		},
	})
	list.Seek(msg.at, msg.row)
	return m.open(list)
}

// sessionItems lists chats, pinned ones first, then by time, each followed by its conclusions.
func (m *model) sessionItems(byID map[string]agent.Session, archived bool) []dialog.Item {
	var sessions []agent.Session
	away := 0
	for _, s := range byID {
		if s.Archived && !archived {
			away++
			continue
		}
		sessions = append(sessions, s)
	}
	slices.SortFunc(sessions, func(a, b agent.Session) int {
		if a.Pinned != b.Pinned {
			return map[bool]int{true: -1, false: 1}[a.Pinned]
		}
		return cmp.Or(b.Updated.Compare(a.Updated), strings.Compare(a.ID, b.ID))
	})
	var items []dialog.Item
	for _, s := range sessions {
		label, right := s.Name, m.ui.Day(s.Updated)
		if s.Pinned {
			label = m.ui.Theme.Glyphs.Mark + " " + label
		}
		if s.Archived {
			right = m.ui.Theme.Remarks("archived", right)
		}
		resume := func(exchange int) func() tea.Cmd { return func() tea.Cmd { return m.resume(s, exchange) } }
		items = append(items, dialog.Item{ID: s.ID, Label: label, Right: right, Do: resume(-1)})
		for i, e := range s.Exchanges {
			if e.Conclusion {
				items = append(items, dialog.Item{
					ID:    s.ID + "/" + strconv.Itoa(i),
					Label: "  " + m.ui.Theme.Glyphs.Done + " " + nameOf(e.Answer),
					Right: "conclusion",
					Do:    resume(i),
				})
			}
		}
	}
	if away > 0 {
		items = append(items, dialog.Item{
			Label: "Show archived chats",
			Right: strconv.Itoa(away),
			Do:    func() tea.Cmd { return m.loadSessions(spot{archived: true}) },
		})
	}
	return items
}

// sessionOf returns the chat ID of an item, which may be a conclusion.
func sessionOf(id string) string {
	session, _, _ := strings.Cut(id, "/")
	return session
}

// resume opens a chat at an exchange, for -1 at its end.
func (m *model) resume(s agent.Session, exchange int) tea.Cmd {
	var cmd tea.Cmd
	if m.stopTalk() {
		cmd = m.keepTalk()
	}
	m.converse(s)
	m.talk.open, m.talk.editing = true, false
	if exchange >= 0 {
		m.talk.Seek(exchange)
	}
	return tea.Batch(cmd, focusOn(paneChat)(m))
}

// rename asks for a new name.
func (m *model) rename(s agent.Session, as spot) tea.Cmd {
	answer := func(name string) (tea.Cmd, string) {
		if name = ui.Line(name); name == "" {
			return nil, "Enter a name"
		}
		return m.change(s, as, func(s *agent.Session) { s.Name = name }), ""
	}
	return m.ask(dialog.PromptOptions{Label: "Chat name", Hint: "what it is about", Text: s.Name, Answer: answer})
}

func (m *model) changing(how func(*agent.Session)) func(agent.Session, spot) tea.Cmd {
	return func(s agent.Session, as spot) tea.Cmd { return m.change(s, as, how) }
}

// change edits and saves a chat, then lists all again at the same position.
func (m *model) change(s agent.Session, as spot, how func(*agent.Session)) tea.Cmd {
	if m.opts.Chat.Keep == nil {
		return nil
	}
	if s.ID == m.talk.session.ID { // its current state
		s = m.spoken()
		how(&m.talk.session)
	}
	how(&s)
	save, load := m.saveCmd(s), m.loadSessions(as)
	return func() tea.Msg {
		if saved, ok := save().(savedMsg); ok && saved.err != nil {
			return saved
		}
		return load()
	}
}

// takeSaved reports a chat that could not be saved.
func (m *model) takeSaved(msg savedMsg) {
	if msg.err != nil {
		m.complain("saving the chat", "Couldn't save the chat", msg.err)
		return
	}
	m.guard.kept = msg.done
	if m.locked.IsShown() {
		m.dropTalk()
	}
}

// recalledMsg delivers the saved chats, to restore the one that locking dropped.
type recalledMsg struct{ loadedMsg }

// dropTalk drops the chat from memory if it is completely saved.
func (m *model) dropTalk() {
	if m.talk.Last() == nil || m.talk.unkept || m.talk.saving != m.guard.kept || m.opts.Chat.Load == nil {
		return
	}
	m.guard.dropped, m.talk.session = m.talk.session.ID, agent.Session{}
	m.talk.Pane = chat.Pane{Input: m.talk.Input}
}

// recallTalk loads the chat that dropTalk dropped.
func (m *model) recallTalk() tea.Cmd {
	load := m.opts.Chat.Load
	if m.guard.dropped == "" {
		return nil
	}
	return m.ui.Tasks.Command(func() tea.Msg {
		sessions, err := load()
		return recalledMsg{loadedMsg{sessions: sessions, err: err}}
	})
}

// take shows that chat, unless another one was begun meanwhile.
func (msg recalledMsg) take(m *model) tea.Cmd {
	if msg.err != nil {
		m.complain("loading the chat", "Couldn't reload the chat (s lists saved chats)", msg.err)
		return nil
	}
	for _, s := range msg.sessions {
		if s.ID == m.guard.dropped && m.talk.Last() == nil {
			m.converse(cleanSession(s))
		}
	}
	m.guard.dropped = ""
	return nil
}

// converse shows a saved chat.
func (m *model) converse(s agent.Session) {
	var exchanges []*chat.Exchange
	for _, e := range s.Exchanges {
		exchanges = append(exchanges, chat.Kept(e))
	}
	m.talk.session = s
	m.talk.Show(exchanges)
}

// endTalk saves the chat at exit, including an answer in progress.
func (m *model) endTalk() error {
	m.stopTalk()
	if !m.talk.unkept || m.opts.Chat.Keep == nil {
		return nil
	}
	m.talk.unkept = false
	return m.opts.Chat.Keep(m.stamped())
}
