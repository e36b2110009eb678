// Package chat is the chat with a model that investigates the archive: questions, the steps for each, answers with
// their citations, the input for the next question, and the chats that are saved.
//
// The rules are:
//
//   - Every text from the model, its tools and the saved chats is cleaned in sanitize.go before it is kept.
//   - When an answer grows, only its changed blocks are rendered again, outside the event loop.
//   - A number in brackets is a citation only if the exchange has a turn of that number.
//   - A chat outlives the lock of the archive until it is saved, and is dropped from memory then.
package chat

import (
	"context"
	"iter"

	tea "charm.land/bubbletea/v2"

	"lens/agent"
	"lens/retrieval"
	"lens/retrieval/query"
	"lens/tui/async"
	"lens/tui/ui"
)

// Options describes a chat model that answers questions about the archive. The zero value means there is none.
type Options struct {
	Model string // its name, for display
	Host  string // the host that receives the questions and the turns that are read
	Local bool   // Host is this machine
	Err   error  // why there is no model; see ui.Context.Explain

	// Inform returns what to know before the first question: what the model cannot do or, without one, which could be
	// used. It may ask the servers of this machine. nil: nothing is known.
	Inform func(context.Context) []string

	Investigator Investigator // nil: there is no model
	Sessions     Sessions     // nil: chats are not saved
}

// Investigator answers questions about the archive.
type Investigator interface {
	// Investigate is agent.Run with a model, for a conversation whose last message is the question.
	Investigate(ctx context.Context, messages []agent.Message) iter.Seq2[agent.Event, error]
}

// Sessions stores chats. Other processes change them, too.
type Sessions interface {
	// List returns a page of chats, by descending time of their last change.
	List(ctx context.Context, page agent.SessionPage) ([]agent.SessionSummary, error)
	// Session returns a chat. Errors: not_found.
	Session(ctx context.Context, id string) (agent.Session, error)
	// Save saves a new chat.
	Save(ctx context.Context, one agent.Session) error
	// Change edits a chat and returns it. No other change comes between. Errors: not_found.
	Change(ctx context.Context, id string, how func(*agent.Session)) (agent.Session, error)
}

// Messages that a chat posts.
type (
	// Focus asks for the focus for a part of the chat. OnNothing closes it.
	Focus int
	// Follow tells what the agent has found: what it searched for, or a turn that it read. Neither is clean.
	Follow struct {
		Query *query.Query
		Turn  *retrieval.Turn
	}
)

// The parts of a chat that may have the focus.
const (
	OnNothing Focus = iota
	OnAnswers
	OnQuestion
)

// Chat is the current chat. It routes, and lays out its two parts, the answers above the input; what is drawn, typed,
// asked and saved are types of their own, most of which share the transcript.
type Chat struct {
	ui   *ui.Context
	opts Options

	said          *Transcript
	answers       answers
	citing        citing
	composer      composer
	investigation investigation
	record        *record
	list          sessionList

	focus Focus
	ready bool   // the archive is open
	asked bool   // a question was sent in this run, so the privacy note is gone
	why   string // there is no model, once that was explained
	hint  string // how to get one

	informing async.Latest[bool]
	informed  []string

	width, height int
}

var _ ui.Component = (*Chat)(nil)

// New returns an empty chat. render renders the Markdown of answers.
func New(c *ui.Context, opts Options, render Render) *Chat {
	said := new(Transcript)
	chat := &Chat{
		ui:            c,
		opts:          opts,
		said:          said,
		citing:        citing{ui: c, in: said},
		composer:      newComposer(c),
		answers:       answers{ui: c, said: said, render: render},
		investigation: investigation{ui: c, by: opts.Investigator},
		record:        &record{ui: c, saver: saver{sessions: opts.Sessions}, said: said},
	}
	chat.investigation.before = func() { _ = chat.record.saveNow() } // Save reports its failure
	chat.list = sessionList{ui: c, record: chat.record, begin: chat.begin, resume: chat.resume}
	return chat
}

// Update handles the results of commands, and text for the question, whether typed or pasted.
func (c *Chat) Update(msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case tea.KeyPressMsg:
		c.insert(msg.Text)
	case tea.PasteMsg:
		c.insert(msg.Content)
	case heardMsg:
		return c.handleHeard(msg)
	case drawnMsg:
		c.answers.handle(msg)
	case savedMsg:
		c.record.handleSaved(msg)
		c.drop()
	case listedMsg:
		c.list.handle(msg)
	case loadedMsg:
		c.handleLoaded(msg)
	case informedMsg:
		if c.informing.Accept(msg.number) {
			c.informed = msg.sentences
		}
	}
	return nil
}

// Requests returns the commands that the state needs: rendering answers, one job at a time, saving the chat, and asking
// what to know before the first question, once it is in view.
func (c *Chat) Requests() tea.Cmd { return tea.Batch(c.answers.requests(), c.Save(), c.inform()) }

// informedMsg delivers what Inform returns.
type informedMsg struct {
	number    int
	sentences []string
}

func (c *Chat) inform() tea.Cmd {
	if c.opts.Inform == nil || c.width <= 0 || c.height <= 0 {
		return nil
	}
	ctx, number, ok := c.informing.Ask(c.ui.Ctx, true, c.ui.Now())
	if !ok {
		return nil
	}
	inform := c.opts.Inform
	return c.ui.Tasks.Command(func() tea.Msg {
		sentences := inform(ctx)
		for i, s := range sentences {
			sentences[i] = ui.Line(s)
		}
		return informedMsg{number, sentences}
	})
}

// SetReady sets whether the archive is open, so that questions can be asked.
func (c *Chat) SetReady(ready bool) { c.ready = ready }

// Last returns the last exchange, nil without one.
func (c *Chat) Last() *Exchange { return c.said.Last() }

// Exchanges returns all exchanges, oldest first.
func (c *Chat) Exchanges() []*Exchange { return c.said.Exchanges() }

// Typed returns the text of the input.
func (c *Chat) Typed() string { return c.composer.question.Text() }

// IsAnswering reports whether an answer is in progress.
func (c *Chat) IsAnswering() bool { return c.investigation.isRunning() }

// insert types text into the question.
func (c *Chat) insert(text string) {
	c.Ask()
	c.composer.question.Insert(text)
}

// Ask asks for the focus for the input.
func (c *Chat) Ask() tea.Cmd {
	c.citing.forget()
	c.ui.Post(OnQuestion)
	return nil
}

// leaveQuestion stops the answer in progress, else moves the focus to the answers or, without any, closes a chat that
// has no model. The input is kept.
func (c *Chat) leaveQuestion() {
	switch {
	case c.Stop():
	case c.IsMute():
		c.ui.Post(OnNothing)
	default:
		c.composer.replaces = false
		c.ui.Post(OnAnswers)
	}
}

// leave stops the answer in progress, else closes the chat, which is kept.
func (c *Chat) leave() {
	switch {
	case c.citing.forget():
	case c.Stop():
	default:
		c.ui.Post(OnNothing)
	}
}

// Click opens the citation at a cell, else focuses that part of the chat, in the input with the cursor there. It always
// decides about the focus.
func (c *Chat) Click(x, y int) (decides bool) {
	top := c.height - c.composer.rows()
	if c.rulesOffSources() && (y == top || y == top-1) {
		y = 2*top - 1 - y
	}
	if y >= top {
		c.Ask()
		c.composer.point(x, y-top)
		return true
	}
	c.ui.Post(OnAnswers)
	c.citing.openAt(x, y)
	return true
}

// notify shows a sentence in the footer.
func (c *Chat) notify(sentence string) { c.ui.Post(ui.Notify(sentence)) }
