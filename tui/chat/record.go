package chat

import (
	"cmp"

	tea "charm.land/bubbletea/v2"
	"github.com/google/uuid"

	"lens/agent"
	"lens/tui/async"
	"lens/tui/ui"
)

// The saved form of a chat: questions and final answers, without the steps. It is saved whenever an exchange has ended.

// record is the saved form of the chat, and tracks what of it is saved.
type record struct {
	ui       *ui.Context
	sessions Sessions      // nil: chats are not saved
	said     *Transcript   // the exchanges of the chat
	session  agent.Session // without its exchanges
	due      bool          // an exchange ended since the last save began
	last     chan struct{} // closed when the last save is done; nil: there was none
	done     chan struct{} // last, once that succeeded
	locked   bool          // the archive is locked: what is saved is dropped
	dropped  string        // the chat to load after unlocking

	recalling async.Latest[bool]
}

// Messages with the results of saving and loading.
type (
	savedMsg struct {
		err  error
		done chan struct{} // of record.last
	}
	// recalledMsg is to restore the chat that was dropped.
	recalledMsg struct {
		number   int
		sessions []agent.Session
		err      error
	}
)

// begin begins a new chat.
func (r *record) begin() {
	r.session = agent.Session{}
	r.said.Show(nil)
}

// open continues a saved chat.
func (r *record) open(s agent.Session) {
	exchanges := make([]*Exchange, len(s.Exchanges))
	for i, e := range s.Exchanges {
		exchanges[i] = Kept(e)
	}
	s.Exchanges = nil
	r.session = s
	r.said.Show(exchanges)
}

// now returns the saved form of the chat as it is now.
func (r *record) now() agent.Session {
	s := r.session
	s.Exchanges = nil
	for _, e := range r.said.Exchanges() {
		s.Exchanges = append(s.Exchanges, e.Keep())
	}
	return s
}

// stamped is now with an ID, a name and the current time.
func (r *record) stamped() agent.Session {
	s, now := r.now(), r.ui.Now().UTC()
	if s.ID == "" {
		s.ID, s.Created = uuid.NewString(), now
	}
	s.Name, s.Updated = cmp.Or(s.Name, nameOf(s.Exchanges[0].Question)), now
	r.session = s
	r.session.Exchanges = nil
	return s
}

// nameOf returns the default name of a chat: its first question, shortened.
func nameOf(question string) string {
	name := []rune(ui.Line(question))
	return string(name[:min(len(name), 60)])
}

// take reports whether the chat must be saved, and counts it as saved.
func (r *record) take() bool {
	due := r.due
	r.due = false
	return due && r.sessions != nil && r.said.Last() != nil
}

// save saves the chat, if an exchange has ended since it was saved.
func (r *record) save() tea.Cmd {
	if !r.take() {
		return nil
	}
	return r.saveCmd(r.stamped())
}

// saveNow is save, done at once.
func (r *record) saveNow() error {
	if !r.take() {
		return nil
	}
	return r.sessions.Save(r.stamped())
}

func (r *record) saveCmd(s agent.Session) tea.Cmd {
	save, before, done := r.sessions.Save, r.last, make(chan struct{})
	r.last = done
	return r.ui.Tasks.Command(func() tea.Msg {
		defer close(done)
		if before != nil { // an older state must not overwrite a newer one
			select {
			case <-before:
			case <-r.ui.Ctx.Done():
			}
		}
		return savedMsg{save(s), done}
	})
}

func (r *record) handleSaved(msg savedMsg) {
	if msg.err != nil {
		r.ui.Post(ui.Failed{Doing: "saving the chat", Said: "Couldn't save the chat", Err: msg.err})
		return
	}
	r.done = msg.done
}

// change edits and saves a chat, which may be the current one.
func (r *record) change(s agent.Session, how func(*agent.Session)) tea.Cmd {
	if s.ID == r.session.ID { // its current state
		s = r.now()
		how(&r.session)
	}
	how(&s)
	return r.saveCmd(s)
}

// drop marks the chat of a locked archive for loading again, and reports whether it can be dropped from memory: only if
// it is completely saved. Where chats are not saved, it ends with the lock.
func (r *record) drop() bool {
	saved := r.sessions == nil || !r.due && r.last == r.done
	if !r.locked || !saved || r.said.Last() == nil {
		return false
	}
	r.dropped, r.session, r.due = r.session.ID, agent.Session{}, false
	return true
}

// recall loads the chat that was dropped.
func (r *record) recall() tea.Cmd {
	if r.dropped == "" {
		return nil
	}
	r.recalling.Forget()
	_, number, _ := r.recalling.Ask(r.ui.Ctx, true, r.ui.Now())
	load := r.sessions.Load
	return r.ui.Tasks.Command(func() tea.Msg {
		sessions, err := load()
		return recalledMsg{number, sessions, err}
	})
}

// handleRecalled shows that chat, unless another one was begun meanwhile.
func (r *record) handleRecalled(msg recalledMsg) {
	if !r.recalling.Accept(msg.number) {
		return
	}
	if msg.err != nil {
		said := "Couldn't reload the chat (" + r.ui.Key("chat.sessions") + " lists saved chats)"
		r.ui.Post(ui.Failed{Doing: "loading the chat", Said: said, Err: msg.err})
		return
	}
	for _, s := range msg.sessions {
		if s.ID == r.dropped && r.said.Last() == nil {
			r.open(cleanSession(s))
		}
	}
	r.dropped = ""
}
