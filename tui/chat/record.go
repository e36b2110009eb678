package chat

import (
	"context"

	tea "charm.land/bubbletea/v2"
	"github.com/google/uuid"

	"lens/agent"
	"lens/internal/errs"
	"lens/tui/async"
	"lens/tui/ui"
)

// The saved form of a chat: questions and final answers, without the steps. A question is saved before it is answered,
// and the answer when it has ended.

// record tracks which chat is current, and what of it is saved.
type record struct {
	ui     *ui.Context
	said   *Transcript // the exchanges of the chat
	saver  saver
	id     string        // "": nothing was asked yet
	due    bool          // something changed since the last save began
	last   chan struct{} // closed when the last save is done; nil: there was none
	locked bool          // the archive is locked: what is saved is dropped
	hidden string        // the ID of the chat to load after unlocking

	loading async.Latest[bool]
}

// Messages with the results of saving and loading.
type (
	savedMsg  struct{ err error }
	loadedMsg struct {
		number   int
		session  agent.Session
		err      error
		exchange int  // to show; < 0: the last
		again    bool // the chat was dropped while the archive was locked
	}
)

// begin begins a new chat.
func (r *record) begin() {
	r.stay()
	r.id = ""
	r.said.Show(nil)
}

// stay keeps the chat, even if another one is being loaded.
func (r *record) stay() {
	r.loading.Stop()
	r.hidden = ""
}

// open continues a saved chat.
func (r *record) open(s agent.Session) {
	exchanges := make([]*Exchange, len(s.Exchanges))
	for i, e := range s.Exchanges {
		exchanges[i] = Kept(e)
	}
	r.id = s.ID
	r.said.Show(exchanges)
}

// history returns the exchanges of the chat as the history of the next question.
func (r *record) history() []agent.Message {
	var s agent.Session
	for _, e := range r.said.Exchanges() {
		s.Exchanges = append(s.Exchanges, e.Keep())
	}
	return s.Messages()
}

// put saves an exchange of the chat as it is now.
func (r *record) put(e *Exchange) {
	kept := e.Keep()
	r.change(func(s *agent.Session) { s.Put(kept) })
}

// pin saves whether the answer of an exchange is a conclusion.
func (r *record) pin(e *Exchange) {
	asked, conclusion := e.Asked, e.Conclusion
	r.change(func(s *agent.Session) {
		if kept := s.Asked(asked); kept != nil {
			kept.Conclusion = conclusion
		}
	})
}

// remove removes an exchange from the saved chat.
func (r *record) remove(e *Exchange) {
	asked := e.Asked
	r.change(func(s *agent.Session) { s.Remove(asked) })
}

// change changes what is saved of the chat, as something that happens now.
func (r *record) change(how change) {
	if r.saver.sessions == nil {
		return
	}
	now := r.ui.Now().UTC()
	at := func(s *agent.Session) {
		how(s)
		s.Updated = now
	}
	if r.due = true; r.id != "" {
		r.saver.add(r.id, at)
		return
	}
	r.id = uuid.NewString()
	name := nameOf(r.said.Last().Question)
	r.saver.begin(r.id, func(s *agent.Session) {
		at(s)
		s.Name, s.Created = name, now
	})
}

// nameOf returns the default name of a chat: its first question, shortened.
func nameOf(question string) string {
	name := []rune(ui.Line(question))
	return string(name[:min(len(name), 60)])
}

// edit changes and saves a chat, which may be the current one.
func (r *record) edit(id string, how change) tea.Cmd {
	r.saver.add(id, how)
	r.due = true
	return r.save()
}

// save saves what has changed.
func (r *record) save() tea.Cmd {
	if !r.due {
		return nil
	}
	r.due = false
	done := make(chan struct{})
	r.last = done
	return r.ui.Tasks.Command(func() tea.Msg {
		defer close(done)
		if err := r.saveNow(); err != nil {
			return savedMsg{err}
		}
		return savedMsg{r.saver.takeRemoved()}
	})
}

// saveNow saves all that waits. It may be called outside the event loop, also at exit.
func (r *record) saveNow() error { return r.saver.save(context.WithoutCancel(r.ui.Ctx)) }

func (r *record) handleSaved(msg savedMsg) {
	if msg.err == nil {
		return
	}
	failed := ui.Failed{Doing: "saving the chat", Said: "cannot save the chat", Err: msg.err}
	if errs.CodeOf(msg.err) == errs.NotFound {
		failed.Message, failed.Hint = "it was forgotten meanwhile", r.ui.Key("chat.new-session")+" begins a new chat"
	}
	r.ui.Post(failed)
}

// drop marks the chat of a locked archive for loading again, and reports whether it can be dropped from memory: only if
// it is completely saved. Where chats are not saved, it ends with the lock.
func (r *record) drop() bool {
	if !r.locked || !r.saver.isSaved(r.id) || r.said.Last() == nil {
		return false
	}
	r.hidden, r.id, r.due = r.id, "", false
	return true
}

// recall loads the chat that was dropped, or saves the one that could not be saved.
func (r *record) recall() tea.Cmd {
	if r.hidden == "" {
		r.due = !r.saver.isSaved(r.id)
		return r.save()
	}
	return r.load(r.hidden, -1, true)
}

// load loads a saved chat.
func (r *record) load(id string, exchange int, again bool) tea.Cmd {
	r.loading.Forget()
	ctx, number, _ := r.loading.Ask(r.ui.Ctx, true, r.ui.Now())
	return r.ui.Tasks.Command(func() tea.Msg {
		_ = r.saveNow() // the latest question may be in this chat; Save reports a failure
		s, err := r.saver.sessions.Session(ctx, id)
		return loadedMsg{number, s, err, exchange, again}
	})
}

// handleLoaded opens the chat, and reports whether it is shown.
func (r *record) handleLoaded(msg loadedMsg) bool {
	if !r.loading.Accept(msg.number) {
		return false
	}
	r.hidden = ""
	if msg.err != nil {
		said := "cannot open the chat"
		if msg.again {
			said = "Couldn't reload the chat (" + r.ui.Key("chat.sessions") + " lists saved chats)"
		}
		r.ui.Post(ui.Failed{Doing: "loading the chat", Said: said, Err: msg.err})
		return false
	}
	r.open(cleanSession(msg.session))
	r.said.Seek(msg.exchange)
	return true
}
