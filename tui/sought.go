package tui

import (
	"cmp"
	"slices"

	tea "charm.land/bubbletea/v2"
	"github.com/google/uuid"

	"lens/retrieval/query"
	"lens/tui/menu"
)

// The query: words, or a turn to find similar ones to, and filters. The window is not part of it; it belongs to the
// view.

// sought is a query with its filters. The zero value means no query.
type sought struct {
	query string
	like  uuid.UUID // find turns similar to this one; query is empty then
	narrowing
}

// narrowing has the filters.
type narrowing struct {
	conversation uuid.UUID // uuid.Nil: any
	keyword      bool      // search by words only
	branches     bool      // include turns off the active path
	source       string    // "": any
}

// exemplar is a turn to find similar ones to, and its title.
type exemplar struct {
	turn  uuid.UUID
	title string
}

func (s sought) isSomething() bool { return s.query != "" || s.like != uuid.Nil }

// in returns the query within a window, which may be empty: all time.
func (s sought) in(window span) query.Query {
	q := query.Literal(s.query)
	if s.like != uuid.Nil {
		q = query.Query{Like: s.like.String()}
	}
	q.Filter.Branches = s.branches
	if s.conversation != uuid.Nil {
		q.Filter.Conversations.In = []uuid.UUID{s.conversation}
	}
	if s.source != "" {
		q.Filter.Sources.In = []string{s.source}
	}
	if s.keyword {
		q.Mode = query.Keyword
	}
	if window != (span{}) {
		q.Filter.Since, q.Filter.Until = at(window.from), at(window.to)
	}
	return q
}

// sought returns the current query.
func (m *model) sought() sought {
	return sought{m.query(), m.like.turn, m.narrow}
}

// seek changes the query and adds a place to the history.
func (m *model) seek(change func()) {
	m.places.replace(m.place())
	change()
	m.places.push(m.place())
}

// seekAlike searches for turns similar to the open one or the match under the cursor.
func (m *model) seekAlike() tea.Cmd {
	like := exemplar{}
	if m.focus == paneTurn && m.opened != nil {
		like = exemplar{m.opened.TurnID, m.opened.Title}
	} else if match, ok := m.list.Chosen(); ok {
		like = exemplar{uuid.MustParse(match.ID), match.Title}
	}
	if like.turn == uuid.Nil {
		m.notice = "No turn selected"
		return nil
	}
	m.seek(func() {
		m.like, m.typing = like, false
		m.bar = bar{}
	})
	return nil
}

// openFilters lists the filters to turn on and off.
func (m *model) openFilters() tea.Cmd {
	state := func(on bool) string {
		if on {
			return "on"
		}
		return "off"
	}
	items := []menu.Item{
		{ID: "conversation", Label: "This conversation only", Right: state(m.narrow.conversation != uuid.Nil)},
		{ID: "keyword", Label: "Search by words only", Right: state(m.narrow.keyword)},
		{ID: "branches", Label: "Include abandoned branches", Right: state(m.narrow.branches)},
		{ID: "source", Label: "One source only" + m.theme.Glyphs.Ellipsis, Right: cmp.Or(m.narrow.source, "any")},
		{ID: "none", Label: "Clear all filters", Right: ""},
	}
	return m.openChoice(menu.New("Filters", "No such filter", items), (*model).filter)
}

// filter toggles one filter.
func (m *model) filter(id string) tea.Cmd {
	next := m.narrow
	switch id {
	case "conversation":
		next.conversation = m.otherConversation()
		if next.conversation == m.narrow.conversation {
			m.notice = "No match selected"
			return nil
		}
	case "keyword":
		next.keyword = !next.keyword
	case "branches":
		next.branches = !next.branches
	case "source":
		return m.openSources()
	case "none":
		next = narrowing{}
	}
	m.seek(func() { m.narrow = next })
	return nil
}

// sources are the known sources of turns.
var sources = []string{"chatgpt", "claude", "gemini", "documents", "chunks"}

// openSources lists the sources to filter by.
func (m *model) openSources() tea.Cmd {
	const anySource = "Any source"
	items := []menu.Item{{ID: anySource, Label: anySource}}
	for _, s := range sources {
		items = append(items, menu.Item{ID: s, Label: s})
	}
	list := menu.New("Source", "No such source", items)
	list.Move(slices.Index(sources, m.narrow.source) + 1)
	return m.openChoice(list, func(m *model, source string) tea.Cmd {
		if source == anySource {
			source = ""
		}
		m.seek(func() { m.narrow.source = source })
		return nil
	})
}

// otherConversation returns the conversation of the match under the cursor, uuid.Nil if that filter is already on.
func (m *model) otherConversation() uuid.UUID {
	if m.narrow.conversation != uuid.Nil || m.found.peek == nil {
		return uuid.Nil
	}
	for _, match := range m.found.peek.Matches {
		if match.TurnID == m.followed {
			return match.Conversation
		}
	}
	return uuid.Nil
}

// turns reports whether a filter applies to turns even without a query.
func (n narrowing) turns() bool { return n.conversation != uuid.Nil || n.branches || n.source != "" }

// words describes the filters, nil for none.
func (n narrowing) words() []string {
	var words []string
	if n.conversation != uuid.Nil {
		words = append(words, "one conversation")
	}
	if n.keyword {
		words = append(words, "words only")
	}
	if n.branches {
		words = append(words, "with branches")
	}
	if n.source != "" {
		words = append(words, "from "+n.source)
	}
	return words
}
