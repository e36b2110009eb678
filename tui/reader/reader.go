// Package reader is the pane that shows a turn: the question and its answer, rendered or as raw Markdown. Where a turn
// cannot be read, it says why and can show the stored data.
package reader

import (
	"context"
	"regexp"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/google/uuid"

	"lens/internal/lru"
	"lens/retrieval"
	"lens/tui/turn"
	"lens/tui/ui"
)

// Source reads turns. See retrieval.Engine.
type Source interface {
	Turn(ctx context.Context, prefix string) (*retrieval.Turn, error)
	Path(ctx context.Context, turn uuid.UUID) (*retrieval.Path, error)
	FindIn(ctx context.Context, conversation uuid.UUID, wanted *regexp.Regexp) ([]uuid.UUID, error)
}

// Storage has turns as they are stored.
type Storage interface {
	// Stored returns the data of a turn that Source cannot read, one JSON document a line. It may return data and an
	// error. conversation may be uuid.Nil.
	Stored(ctx context.Context, conversation, turn uuid.UUID) (string, error)
}

// Turned is posted when the user has gone to another turn of the conversation.
type Turned struct{ ID uuid.UUID }

// Options configures a reader. All are optional.
type Options struct {
	Storage Storage // nil: stored data cannot be shown

	// Pause is the time before a turn is read while another pane has the focus, since its cursor may move on.
	Pause time.Duration
}

// Reader shows a turn. What it requests follows from its state: the turn that is wanted, then its rendering in the
// current size.
type Reader struct {
	ui     *ui.Context
	opts   Options
	source Source // nil until the archive is open

	wanted       uuid.UUID // the turn to show
	conversation uuid.UUID // that it is in, if known
	cited        uuid.UUID // the answer that is looked for when the turn is open
	opened       *retrieval.Turn
	turns        turns
	failed       ui.Failure // why the wanted turn cannot be read
	stored       stored

	look
	raw      bool // Markdown is shown unrendered
	page     page
	shown    drawing // on the page
	drawings drawings
	path     path
	rail     rail
	find     find
}

// look is what the app says about the pane.
type look struct {
	width, height int
	focused       bool
	words         *retrieval.Words // to mark; the same ones stay, as renderings are kept by them
	invitation    string           // shown without a turn
}

// New returns a reader without a turn.
func New(c *ui.Context, opts Options) *Reader {
	return &Reader{
		page:     page{Scroller: ui.Scroller{Overlap: 2}},
		ui:       c,
		opts:     opts,
		turns:    turns{known: lru.Cache[uuid.UUID, *retrieval.Turn]{Limit: 64}},
		drawings: drawings{drawn: lru.Cache[drawing, turn.Text]{Limit: 64}},
	}
}

// SetSource sets what turns are read from, once the archive is open.
func (r *Reader) SetSource(source Source) { r.source = source }

// SetSize sets the size of the text, in cells. A hidden pane has none.
func (r *Reader) SetSize(width, height int) {
	r.width, r.height = width, max(0, height)
	r.page.SetHeight(r.height)
}

// SetFocused says whether the pane has the focus.
func (r *Reader) SetFocused(focused bool) { r.focused = focused }

// SetWords sets the words to mark, those of the query that found the turns.
func (r *Reader) SetWords(words *retrieval.Words) {
	if !words.Same(r.words) {
		r.words = words
	}
}

// SetInvitation sets the sentence that is shown without a turn.
func (r *Reader) SetInvitation(text string) { r.invitation = text }

// Show shows a turn, uuid.Nil for none. Its conversation may be uuid.Nil.
func (r *Reader) Show(id, conversation uuid.UUID) {
	if id != r.wanted {
		r.cited, r.find.seeking = uuid.Nil, false
		r.path.leave()
	}
	r.wanted, r.conversation = id, conversation
}

// ShowCited shows the answer of that id in place of the one that the question of the shown turn has now, and says so.
func (r *Reader) ShowCited(answer uuid.UUID) { r.cited = answer }

// findCited shows the cited answer, once the turn that had it is open.
func (r *Reader) findCited() {
	cited := r.cited
	r.cited = uuid.Nil
	if cited == uuid.Nil || r.opened.AnswerID != nil && *r.opened.AnswerID == cited {
		return
	}
	for _, a := range r.opened.Answers {
		if a.ID != nil && *a.ID == cited {
			r.ui.Post(ui.Notify("Another answer was chosen since. This is the one that was cited"))
			r.Show(a.TurnID, r.opened.Conversation)
			return
		}
	}
	r.ui.Post(ui.Notify("The answer that was cited is no longer in the archive"))
}

// Wanted returns the turn that is shown or about to be, uuid.Nil for none.
func (r *Reader) Wanted() uuid.UUID { return r.wanted }

// Opened returns the turn that is shown, nil for none. Until the wanted one is read, that is the one before.
func (r *Reader) Opened() *retrieval.Turn { return r.opened }

// Keep keeps a clean turn that was read elsewhere, for when it is wanted.
func (r *Reader) Keep(t *retrieval.Turn) { r.turns.known.Put(t.TurnID, t) }

// Known returns a turn that was read lately.
func (r *Reader) Known(id uuid.UUID) (*retrieval.Turn, bool) { return r.turns.known.Get(id) }

// Requests asks for what is needed and not known: the wanted turn, and its rendering.
func (r *Reader) Requests() tea.Cmd {
	if r.source == nil {
		return nil
	}
	asked := []tea.Cmd{r.requestTurn(), r.requestPage(), r.requestPath()}
	if r.opened != nil {
		asked = append(asked, r.find.request(r.ui, r.source, r.opened.Conversation))
	}
	return tea.Batch(asked...)
}

func (r *Reader) requestTurn() tea.Cmd {
	if known, ok := r.turns.known.Get(r.wanted); ok {
		r.turns.asking.Forget()
		r.opened, r.failed = known, ui.Failure{}
		if r.findCited(); r.wanted != known.TurnID {
			return r.requestTurn()
		}
		if known.Conversation != r.find.in {
			r.LeaveFind()
		}
		return nil
	}
	if r.wanted == uuid.Nil {
		r.turns.asking.Forget()
		r.opened, r.failed = nil, ui.Failure{}
		return nil
	}
	pause := r.opts.Pause
	if r.focused {
		pause = 0
	}
	cmd := r.turns.request(r.ui, r.source, r.wanted, pause)
	if cmd != nil {
		r.failed = ui.Failure{}
	}
	return cmd
}

// Stop cancels the reading of a turn or of its stored data, and reports whether there was any.
func (r *Reader) Stop() bool {
	fetching, finding := r.stored.asking.Stop(), r.find.asking.Stop()
	r.path.asking.Stop()
	return r.turns.asking.Stop() || fetching || finding
}

// Retry asks again for a turn, its path and what is found, where that failed or was stopped.
func (r *Reader) Retry() {
	r.failed = ui.Failure{}
	r.turns.asking.Forget()
	r.path.asking.Forget()
	r.find.asking.Forget()
}

// Reload asks again for turns when they are wanted, for the path and for what is found, because the archive may have
// changed. What is shown stays meanwhile.
func (r *Reader) Reload() {
	r.turns.known.Clear()
	r.turns.asking.Forget()
	r.path.reload()
	r.find.asking.Forget()
}

// Waiting returns how long the wanted turn has been waited for, 0 if it is not.
func (r *Reader) Waiting() time.Duration { return r.turns.asking.Waiting(r.ui.Now()) }

// Update handles results.
func (r *Reader) Update(msg tea.Msg) (cmd tea.Cmd) {
	switch msg := msg.(type) {
	case readMsg:
		r.handleTurn(msg)
	case drawnMsg:
		r.drawings.handle(msg)
		cmd = r.requestPage()
	case storedMsg:
		r.stored.handle(r.ui, msg, r.unreadable())
	case pathMsg:
		r.path.handle(msg)
	case foundMsg:
		r.find.handle(r.ui, msg)
	}
	r.seekWhenKnown()
	return cmd
}

func (r *Reader) handleTurn(msg readMsg) {
	if err := r.turns.handle(msg); err != nil {
		r.opened, r.shown = nil, drawing{}
		r.stored.hide()
		r.failed = r.ui.Fail("reading a turn", err)
	}
}
