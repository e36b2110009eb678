package search

import (
	"cmp"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/google/uuid"

	"lens/retrieval/query"
	"lens/tui/querybar"
	"lens/tui/ui"
	"lens/tui/zoom"
)

// Results is what the bar needs to know of the results on the screen.
type Results interface {
	// Titles returns the titles of the latest results, those on the screen first.
	Titles() []string
	// Title returns the title of a conversation that is on the screen, "" for any other.
	Title(conversation uuid.UUID) string
	// Conversation returns the conversation of the match under the cursor, uuid.Nil for none.
	Conversation() uuid.UUID
}

// BarOptions configures a bar.
type BarOptions struct {
	Results Results
	Pause   time.Duration // before values are asked for, for the next letter
}

// Messages that the bar posts.
type (
	// QueryChanged reports that the query was changed in the bar or by its menus.
	QueryChanged struct {
		Continues bool // part of an edit that has been reported before: no further step of the history
	}
	// Aimed reports that a window was typed, or deleted again.
	Aimed struct {
		Span zoom.Span // to show; zero: the view from before any was typed
		Was  zoom.Span // the window that was typed until now; zero: none, so the view is the one from before
	}
)

// Bar is the first line: the query as it is typed, its filters as chips, and at the right what the app says about the
// search. The query is words, phrases, exclusions and filters, or a turn to find similar ones to. What is typed and what
// the menu of filters turns on are one query. The window is not part of it; it belongs to the view.
type Bar struct {
	ui      *ui.Context
	results Results

	line  querybar.Bar
	asked asked
	draft draft
	// typing: the text was edited since the bar got the focus. Its edits are one step of the history.
	typing    bool
	archive   zoom.Span // empty until it is known
	completer completer
	barLook
}

// barLook is what the app says about the bar.
type barLook struct {
	width   int
	focused bool
	badges  []string
	outcome string
}

// asked is what is searched: the latest query that made sense.
type asked struct {
	query  query.Query // with the filters and the mode
	sought Sought      // of query, printed once, since every frame compares it often
	like   Exemplar    // finds similar turns, instead of the query's words
}

func (a *asked) set(q query.Query) { a.query, a.sought = q, Of(q, uuid.Nil) }

// giveUpExemplar ends the search for similar turns, and with it what only that can have: a least similarity.
func (a *asked) giveUpExemplar() {
	if a.like.Turn == uuid.Nil {
		return
	}
	a.like = Exemplar{}
	q := a.query
	q.Filter.MinSimilarity = nil
	a.set(q)
}

// NewBar returns an empty bar.
func NewBar(c *ui.Context, opts BarOptions) *Bar {
	return &Bar{ui: c, results: opts.Results, completer: newCompleter(c, opts)}
}

// Sought identifies the query.
func (b *Bar) Sought() Sought {
	s := b.asked.sought
	s.Like = b.asked.like.Turn
	return s
}

// Query returns the query with its filters and the mode, without a window. While what is typed makes no sense, it is the
// one from before.
func (b *Bar) Query() query.Query { return b.asked.query }

// Exemplar returns the turn that similar ones are searched for.
func (b *Bar) Exemplar() Exemplar { return b.asked.like }

// Text returns the text in the bar.
func (b *Bar) Text() string { return b.line.Text() }

// IsEdited reports whether something was typed that has not become chips yet.
func (b *Bar) IsEdited() bool { return b.draft.edited }

// Want replaces the query and what the bar says, and posts nothing.
func (b *Bar) Want(q query.Query, like Exemplar) {
	q.Like = ""
	b.asked.set(q)
	b.asked.like, b.typing, b.draft = like, false, draft{}
	q.Filter = query.Filter{}
	b.line = querybar.New(q.String())
}

// SetSize sets the width, in cells. The height is one line.
func (b *Bar) SetSize(width, _ int) { b.width = width }

// SetFocused says whether the bar has the focus. When it is left, its filters become chips.
func (b *Bar) SetFocused(focused bool) {
	b.focused = focused
	if focused {
		b.draft.told = false
		return
	}
	b.typing = false
	b.settle()
}

// SetArchive sets the span of the archive, empty until it is known. A window that was typed before is aimed at then.
func (b *Bar) SetArchive(span zoom.Span) {
	b.archive, b.completer.archive = span, span
	if window := b.draft.pending; !window.IsZero() && span.Width() > 0 {
		b.draft.pending = query.Filter{}
		b.aim(window)
	}
}

// SetRemarks sets what stands at the right: the limits of the archive, and the outcome of the search.
func (b *Bar) SetRemarks(badges []string, outcome string) { b.badges, b.outcome = badges, outcome }

// SetValues sets what the values of filters are asked for, once the archive is open.
func (b *Bar) SetValues(values Values) { b.completer.vocabulary.source = values }

// Reload asks for values again when they are wanted, because the archive may have changed.
func (b *Bar) Reload() {
	b.completer.vocabulary.known.Clear()
	b.Retry()
}

// Retry asks again for values that could not be had.
func (b *Bar) Retry() { b.completer.vocabulary.asking.Forget() }

// Update handles pasted text, and the values that were asked for.
func (b *Bar) Update(msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case tea.KeyPressMsg:
		if msg.Text != "" {
			b.insert(msg.Text)
		}
	case tea.PasteMsg:
		b.insert(msg.Content)
	case valuesMsg:
		b.completer.vocabulary.take(msg)
	}
	return nil
}

func (b *Bar) insert(text string) { b.edit(func(line *querybar.Bar) { line.Insert(text) }) }

// SeekLike searches for turns similar to one. The words are given up, and with them the role of who said them.
func (b *Bar) SeekLike(like Exemplar) {
	filter := b.asked.query.Filter
	filter.Role = ""
	b.Want(query.Query{Filter: filter, Mode: b.asked.query.Mode}, like)
	b.ui.Post(QueryChanged{})
}

// restrict changes the filters or the mode, unless the query would be refused.
func (b *Bar) restrict(change func(q *query.Query)) {
	next := b.asked.query
	change(&next)
	if err := Refusal(next, b.asked.like.Turn); err != nil {
		b.ui.Post(ui.Notify(RemarkOn(err).Full()))
		return
	}
	b.asked.set(next)
	if b.draft.edited {
		before := query.Query{Filter: b.draft.filter}
		change(&before)
		b.draft.filter = before.Filter
		b.read(b.unfinished())
	}
	b.ui.Post(QueryChanged{})
}

// Arrange scrolls the text to the cursor, after a message.
func (b *Bar) Arrange() { b.line.Scroll(b.width, b.status()) }

// View draws the bar.
func (b *Bar) View() []string {
	return []string{b.line.View(b.width, b.focused, b.invitation(), b.status(), b.ui.Theme)}
}

// Column returns the column of the cursor.
func (b *Bar) Column() int { return b.line.Column() }

// invitation is the placeholder.
func (b *Bar) invitation() string {
	if b.asked.like.Turn != uuid.Nil {
		return "More like: " + cmp.Or(b.asked.like.Title, "untitled")
	}
	return "What are you looking for?"
}
