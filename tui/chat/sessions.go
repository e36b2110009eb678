package chat

import (
	"cmp"

	tea "charm.land/bubbletea/v2"
	"github.com/google/uuid"

	"lens/agent"
	"lens/tui/ui"
)

// Saved chats: questions and final answers, without the steps. A chat is saved whenever an exchange has ended.

// record is the saved form of the chat, and tracks what of it is saved.
type record struct {
	ui       *ui.Context
	sessions Sessions
	session  agent.Session // without its exchanges
	due      bool          // an exchange ended since the last save began
	last     chan struct{} // closed when the last save is done; nil: there was none
	done     chan struct{} // last, once that succeeded
	locked   bool          // the archive is locked: what is saved is dropped
	dropped  string        // the chat to load after unlocking
}

// spot is a position in the list of saved chats.
type spot struct {
	archived bool   // archived chats are listed, too
	at       string // the item under the cursor
	row      int    // used when that item is gone
}

// Messages with the results of loading and saving.
type (
	loadedMsg struct {
		sessions []agent.Session
		err      error
		as       spot
	}
	savedMsg struct {
		err  error
		done chan struct{} // of saves.last
	}
	// recalledMsg is to restore the chat that was dropped.
	recalledMsg struct {
		sessions []agent.Session
		err      error
	}
)

// of returns the saved form of the chat.
func (r *record) of(exchanges []*Exchange) agent.Session {
	s := r.session
	s.Exchanges = nil
	for _, e := range exchanges {
		s.Exchanges = append(s.Exchanges, e.Keep())
	}
	return s
}

// Save saves the chat, if an exchange has ended since it was saved.
func (c *Chat) Save() tea.Cmd {
	if !c.record.due || c.IsAnswering() {
		return nil
	}
	c.record.due = false
	if c.opts.Sessions == nil || c.Last() == nil {
		return nil
	}
	return c.record.saveCmd(c.record.stamped(c.Exchanges()))
}

// Saved is closed when the last save is done; nil: there was none.
func (c *Chat) Saved() <-chan struct{} { return c.record.last }

// stamped returns the chat with an ID, a name and the current time.
func (r *record) stamped(exchanges []*Exchange) agent.Session {
	s, now := r.of(exchanges), r.ui.Now().UTC()
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

func (r *record) takeSaved(msg savedMsg) {
	if msg.err != nil {
		r.ui.Post(ui.Failed{Doing: "saving the chat", Said: "Couldn't save the chat", Err: msg.err})
		return
	}
	r.done = msg.done
}

// begin begins a new chat. The current one stays saved.
func (c *Chat) begin() tea.Cmd {
	c.Stop()
	save := c.Save()
	c.record.session = agent.Session{}
	c.said.Show(nil)
	return tea.Batch(save, c.Ask())
}

// resume continues a saved chat. It shows one of the exchanges, if there is one at that index.
func (c *Chat) resume(s agent.Session, exchange int) tea.Cmd {
	c.Stop()
	save := c.Save()
	c.show(s)
	c.composer.replaces = false
	c.said.Seek(exchange)
	c.ui.Post(OnAnswers)
	return save
}

// show shows a saved chat.
func (c *Chat) show(s agent.Session) {
	exchanges := make([]*Exchange, len(s.Exchanges))
	for i, e := range s.Exchanges {
		exchanges[i] = Kept(e)
	}
	s.Exchanges = nil
	c.record.session = s
	c.said.Show(exchanges)
}

// list loads the saved chats, and opens the list when they have arrived.
func (c *Chat) list(as spot) tea.Cmd {
	if c.opts.Sessions == nil {
		c.notify("Chats are not saved here")
		return nil
	}
	load := c.opts.Sessions.Load
	return c.ui.Tasks.Command(func() tea.Msg {
		sessions, err := load()
		return loadedMsg{sessions, err, as}
	})
}

// takeLoaded opens the list.
func (c *Chat) takeLoaded(msg loadedMsg) {
	if c.record.locked {
		return
	}
	if msg.err != nil {
		c.ui.Post(ui.Failed{Doing: "loading chats", Said: "Couldn't load the saved chats", Err: msg.err})
		return
	}
	clean := make([]agent.Session, len(msg.sessions))
	for i, s := range msg.sessions {
		clean[i] = cleanSession(s)
	}
	c.openList(clean, msg.as)
}

// change edits and saves a chat, then lists all again.
func (c *Chat) change(s agent.Session, how func(*agent.Session), as spot) tea.Cmd {
	if c.opts.Sessions == nil {
		return nil
	}
	if s.ID == c.record.session.ID { // its current state
		s = c.record.of(c.Exchanges())
		how(&c.record.session)
	}
	how(&s)
	save, load := c.record.saveCmd(s), c.list(as)
	return func() tea.Msg {
		saved := save()
		if saved, ok := saved.(savedMsg); !ok || saved.err != nil {
			return saved
		}
		return tea.BatchMsg{func() tea.Msg { return saved }, load}
	}
}

// Lock drops the chat from memory as soon as it is saved, and stops the answer in progress.
func (c *Chat) Lock() {
	c.Stop()
	c.record.locked = true
	c.drop()
}

// drop drops the chat of a locked archive from memory if it is completely saved.
func (c *Chat) drop() {
	r := &c.record
	if saved := !r.due && r.last == r.done; !r.locked || !saved || c.Last() == nil || c.opts.Sessions == nil {
		return
	}
	c.answers.forget()
	r.dropped, r.session = r.session.ID, agent.Session{}
	c.citing.forget()
	c.ready, c.composer.replaces = false, false
}

// Unlock loads the chat that was dropped.
func (c *Chat) Unlock() tea.Cmd {
	c.record.locked = false
	if c.record.dropped == "" {
		return nil
	}
	load := c.opts.Sessions.Load
	return c.ui.Tasks.Command(func() tea.Msg {
		sessions, err := load()
		return recalledMsg{sessions, err}
	})
}

// takeRecalled shows that chat, unless another one was begun meanwhile.
func (c *Chat) takeRecalled(msg recalledMsg) {
	if c.record.locked { // again; unlocking will load it again
		return
	}
	if msg.err != nil {
		c.ui.Post(ui.Failed{Doing: "loading the chat", Said: "Couldn't reload the chat (s lists saved chats)", Err: msg.err})
		return
	}
	for _, s := range msg.sessions {
		if s.ID == c.record.dropped && c.Last() == nil {
			c.show(cleanSession(s))
		}
	}
	c.record.dropped = ""
}

// End saves the chat at exit, including an answer in progress.
func (c *Chat) End() error {
	c.Stop()
	if !c.record.due || c.opts.Sessions == nil {
		return nil
	}
	c.record.due = false
	return c.opts.Sessions.Save(c.record.stamped(c.Exchanges()))
}
