package search

import (
	"cmp"
	"math"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/google/uuid"

	"lens/retrieval/query"
	"lens/tui/theme"
	"lens/tui/ui"
	"lens/tui/zoom"
)

// Results is what the bar needs to know of the results on the screen.
type Results interface {
	// Titles returns the titles of the latest results, those on the screen first.
	Titles() []string
	// Title returns the title of a conversation that is on the screen, "" for any other.
	Title(conversation uuid.UUID) string
	// Dates returns the dates that the query of the latest results names, "" for none.
	Dates() string
	// Past returns the queries from before, latest first.
	Past() []string
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
// search. The query is words, phrases, exclusions and filters, or a turn to find similar ones to. What is typed and
// what the menu of filters turns on are one query. The window is not part of it; it belongs to the view.
type Bar struct {
	typing
	completer completer
	results   Results
	earlier   []string // the query that was in the bar, then those before it, while one recalls them
	recalled  int      // the index in earlier of what is in the bar
	barLook
}

var _ ui.Component = (*Bar)(nil)

// barLook is what the app says about the bar.
type barLook struct {
	width    int
	focused  bool
	badges   []string
	outcomes []string

	byMeaning bool // turns can be found by meaning
}

// NewBar returns an empty bar.
func NewBar(c *ui.Context, opts BarOptions) *Bar {
	return &Bar{typing: typing{ui: c}, results: opts.Results, completer: newCompleter(c, opts)}
}

// SetSize sets the width, in cells. The height is one line. Nothing is said in its last column.
func (b *Bar) SetSize(width, _ int) { b.width = max(0, width-1) }

// SetFocused says whether the bar has the focus. When it is left, its filters become chips.
func (b *Bar) SetFocused(focused bool) {
	b.focused = focused
	if focused {
		b.draft.said = false
		return
	}
	b.line.Deselect()
	b.earlier, b.recalled = nil, 0
	if b.begun = false; b.draft.edited {
		b.leave()
	}
}

// Select selects the text: the next letter replaces it, an arrow keeps it.
func (b *Bar) Select() { b.line.Select() }

// recall shows the query before the one in the bar, for step -1 the one after it. It reports whether there is one.
func (b *Bar) recall(step int) bool {
	if b.earlier == nil {
		b.earlier = append([]string{b.Search().Text}, b.results.Past()...)
	}
	at := b.recalled + step
	if at < 0 || at >= len(b.earlier) {
		return false
	}
	b.recalled = at
	b.replay(b.earlier[at])
	return true
}

// SetArchive sets the extent of the archive, empty until it is known. A window that was typed before is aimed at then.
func (b *Bar) SetArchive(extent zoom.Extent) {
	b.archive, b.completer.archive = extent, extent.Span
	if window := b.draft.pending; !window.IsZero() && extent.Width() > 0 {
		b.draft.pending = query.Filter{}
		b.aim(window, zoom.Span{})
	}
}

// SetView sets what is in view of the archive.
func (b *Bar) SetView(span zoom.Span) { b.view = span }

// SetByMeaning says whether turns can be found by meaning.
func (b *Bar) SetByMeaning(can bool) { b.byMeaning = can }

// SetRemarks sets what stands at the right: the limits of the archive, and the outcome of the search, longest first.
func (b *Bar) SetRemarks(badges []string, outcomes ...string) {
	b.badges, b.outcomes = badges, outcomes
}

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
		b.completer.vocabulary.handle(msg)
	}
	return nil
}

// Arrange scrolls the text to the cursor, after a message.
func (b *Bar) Arrange() { b.line.Scroll(b.width, b.status()) }

// View draws the bar.
func (b *Bar) View() []string {
	return []string{b.line.View(b.width, b.focused, b.invitation(), b.status(), b.ui.Theme) + " "}
}

// Column returns the column of the cursor.
func (b *Bar) Column() int { return b.line.Column() }

// invitation is the placeholder.
func (b *Bar) invitation() string {
	if b.asked.like.Turn != uuid.Nil {
		return "More like: " + cmp.Or(b.asked.like.Title, "untitled")
	}
	how := "words or date"
	if b.byMeaning {
		how = "words, meaning or date"
	}
	if long := lasting(b.archive.Span); long != "" {
		return "search " + long + " by " + how
	}
	return "search by " + how
}

// lasting writes how long an archive goes on: five years, 18 months; "" for less than two months.
func lasting(span zoom.Span) string {
	words := []string{"two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"}
	const year, month = 365.25 * zoom.DayLong, 30.4 * zoom.DayLong
	years, months := int(math.Round(float64(span.Width())/year)), int(math.Round(float64(span.Width())/month))
	switch {
	case months >= 24 && years-2 < len(words):
		return words[years-2] + " years"
	case months >= 24:
		return theme.Number(years) + " years"
	case months >= 2 && months-2 < len(words):
		return words[months-2] + " months"
	case months >= 2:
		return theme.Number(months) + " months"
	}
	return ""
}
