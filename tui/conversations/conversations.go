// Package conversations is the dialog in which one walks the conversations of the archive: by date, topic or source, or
// those that one has starred. Typing filters the titles.
package conversations

import (
	"context"
	"slices"
	"strings"
	"unicode"

	tea "charm.land/bubbletea/v2"
	"github.com/google/uuid"

	"lens/retrieval"
	"lens/tui/async"
	"lens/tui/dialog"
	"lens/tui/ui"
)

// Source lists conversations. See retrieval.Engine.
type Source interface {
	Conversations(ctx context.Context) ([]retrieval.ListedConversation, error)
}

// Star is a starred conversation, with its first turn, by which lens forget finds it.
type Star struct{ Conversation, Turn uuid.UUID }

// Conversations has the conversations of the archive, and which of them are starred.
type Conversations struct {
	ui     *ui.Context
	source Source // nil until the archive is open

	all     []entry // the latest first
	known   bool    // all is loaded
	sources int     // how many different ones there are
	loading async.Latest[bool]
	failure ui.Failure

	stars   map[uuid.UUID]Star
	changes int // of stars

	by   order
	open *list // nil: the dialog is closed
}

// entry is a conversation with clean texts.
type entry struct {
	retrieval.ListedConversation
	words string // of the title, in lower case, a blank before each
}

// loadedMsg delivers the conversations.
type loadedMsg struct {
	number int
	all    []retrieval.ListedConversation
	err    error
}

// New returns an empty list.
func New(c *ui.Context) *Conversations { return &Conversations{ui: c, stars: map[uuid.UUID]Star{}} }

// SetSource sets what conversations are read from, once the archive is open.
func (c *Conversations) SetSource(source Source) { c.source = source }

// Stars returns the starred conversations by ID.
func (c *Conversations) Stars() []Star {
	stars := make([]Star, 0, len(c.stars))
	for _, star := range c.stars {
		stars = append(stars, star)
	}
	slices.SortFunc(stars, func(x, y Star) int { return slices.Compare(x.Conversation[:], y.Conversation[:]) })
	return stars
}

// SetStars replaces the starred conversations.
func (c *Conversations) SetStars(stars []Star) {
	c.stars = make(map[uuid.UUID]Star, len(stars))
	for _, star := range stars {
		c.stars[star.Conversation] = star
	}
}

// Changes counts how often a star was changed.
func (c *Conversations) Changes() int { return c.changes }

// Open opens the dialog with the cursor on a conversation, else on the first. The conversations of titles, which have
// the words of the query, come first; they may be some of count. What failed or was canceled is asked for again.
func (c *Conversations) Open(at uuid.UUID, titles []retrieval.TitleMatch, count int) {
	c.Retry()
	c.open = newList(c, at, titles, count)
	c.ui.Post(dialog.Open{Dialog: c.open})
}

// Requests asks for the conversations while the dialog is open.
func (c *Conversations) Requests() tea.Cmd {
	if c.open == nil || c.source == nil {
		return nil
	}
	ctx, number, ok := c.loading.Ask(c.ui.Ctx, true, c.ui.Now())
	if !ok {
		return nil
	}
	source := c.source
	return c.ui.Tasks.Command(func() tea.Msg {
		all, err := source.Conversations(ctx)
		if ctx.Err() != nil {
			return nil
		}
		return loadedMsg{number, all, err}
	})
}

// Reload asks again when the dialog is open, because the archive may have changed.
func (c *Conversations) Reload() { c.loading.Forget() }

// Retry asks again after a failure, or when the request was canceled.
func (c *Conversations) Retry() {
	if !c.loading.IsBusy() && (!c.known || c.failure != (ui.Failure{})) {
		c.failure = ui.Failure{}
		c.loading.Forget()
	}
}

// Stop cancels the request and reports whether there was one.
func (c *Conversations) Stop() bool { return c.loading.Stop() }

// Update handles the conversations.
func (c *Conversations) Update(msg tea.Msg) tea.Cmd {
	loaded, ok := msg.(loadedMsg)
	if !ok || !c.loading.Accept(loaded.number) {
		return nil
	}
	if loaded.err != nil {
		c.failure = c.ui.Fail("reading the conversations", loaded.err)
		return nil
	}
	c.known, c.failure = true, ui.Failure{}
	c.all = make([]entry, len(loaded.all))
	sources := map[string]bool{}
	for i, listed := range loaded.all {
		listed.Title, listed.Topic, listed.Source = ui.Line(listed.Title), ui.Line(listed.Topic), ui.Line(listed.Source)
		c.all[i] = entry{listed, words(listed.Title)}
		sources[listed.Source] = true
	}
	c.sources = len(sources)
	if c.open != nil {
		c.open.arrange()
	}
	return nil
}

// words returns the words of a text in lower case, a blank before each.
func words(text string) string {
	var spaced strings.Builder
	joint := func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsNumber(r) }
	for word := range strings.FieldsFuncSeq(strings.ToLower(text), joint) {
		spaced.WriteString(" " + word)
	}
	return spaced.String()
}

// toggle stars a conversation, or removes its star.
func (c *Conversations) toggle(e *entry) {
	c.changes++
	if _, starred := c.stars[e.ID]; starred {
		delete(c.stars, e.ID)
		return
	}
	c.stars[e.ID] = Star{e.ID, e.FirstTurn}
}
