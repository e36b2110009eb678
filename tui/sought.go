package tui

import (
	"cmp"
	"strings"

	tea "charm.land/bubbletea/v2"
	"github.com/google/uuid"

	"lens/retrieval/query"
	"lens/tui/dialog"
	"lens/tui/querybar"
	"lens/tui/search"
)

// The query: words, phrases, exclusions and filters, or a turn to find similar ones to. What is typed and what the
// filter menu turns on are one query. The window is not part of it; it belongs to the view.

// sought returns the current query.
func (m *model) sought() search.Sought {
	s := m.identity
	s.Like = m.like.Turn
	return s
}

// setQuery replaces the query, but not what the bar says. It is printed once, since every frame compares it often.
func (m *model) setQuery(q query.Query) { m.asked, m.identity = q, search.Of(q, uuid.Nil) }

// want replaces the query, and what the bar says.
func (m *model) want(q query.Query, like search.Exemplar) {
	q.Like = ""
	m.setQuery(q)
	m.like, m.typing, m.draft = like, false, draft{}
	q.Filter = query.Filter{}
	m.bar = querybar.New(q.String())
}

// seek changes the query and adds a place to the history.
func (m *model) seek(change func()) {
	change()
	m.places.push(m.place())
}

// seekAlike searches for turns similar to the match under the cursor.
func (m *model) seekAlike() tea.Cmd {
	match, ok := m.list.Chosen()
	if !ok {
		m.footer.Say("No turn selected")
		return nil
	}
	m.seekLike(search.Exemplar{Turn: uuid.MustParse(match.ID), Title: match.Title})
	return nil
}

// seekLike searches for turns similar to one. The words are given up, and with them the role of who said them.
func (m *model) seekLike(like search.Exemplar) {
	filter := m.asked.Filter
	filter.Role = ""
	m.seek(func() { m.want(query.Query{Filter: filter, Mode: m.asked.Mode}, like) })
}

// giveUpExemplar ends the search for similar turns, and with it what only that can have: a least similarity.
func (m *model) giveUpExemplar() {
	if m.like.Turn == uuid.Nil {
		return
	}
	m.like = search.Exemplar{}
	q := m.asked
	q.Filter.MinSimilarity = nil
	m.setQuery(q)
}

// restrict changes the filters or the mode, unless the query would be refused.
func (m *model) restrict(change func(q *query.Query)) {
	next := m.asked
	change(&next)
	if err := search.Refusal(next, m.like.Turn); err != nil {
		m.footer.Say(search.RemarkOn(err).Full())
		return
	}
	m.seek(func() {
		m.setQuery(next)
		if m.draft.edited {
			before := query.Query{Filter: m.draft.filter}
			change(&before)
			m.draft.filter = before.Filter
			m.readBar(m.unfinished())
		}
	})
}

// openFilters lists the filters to turn on and off.
func (m *model) openFilters() tea.Cmd {
	state := func(on bool) string {
		if on {
			return "on"
		}
		return "off"
	}
	restrict := func(how func(*query.Query)) func() tea.Cmd {
		return func() tea.Cmd {
			m.restrict(how)
			return nil
		}
	}
	f := m.asked.Filter
	sources := strings.Join(sourceField().Strings(f), ", ")
	words := restrict(func(q *query.Query) {
		if q.Mode == query.Keyword {
			q.Mode = ""
		} else {
			q.Mode = query.Keyword
		}
	})
	branches := restrict(func(q *query.Query) { q.Filter.Branches = !q.Filter.Branches })
	items := []dialog.Item{
		{Label: "This conversation only", Right: state(len(f.Conversations.In) > 0), Do: m.toggleConversation},
		{Label: "Search by words only", Right: state(m.asked.Mode == query.Keyword), Do: words},
		{Label: "Include abandoned branches", Right: state(f.Branches), Do: branches},
		{Label: "One source only" + m.ui.Theme.Glyphs.Ellipsis, Right: cmp.Or(sources, "any"), Do: m.openSources},
	}
	f.Conversations.In, f.Branches, f.Sources = nil, false, query.Values[string]{}
	for _, chip := range f.Strings() {
		items = append(items, dialog.Item{Label: m.chipLabel(chip), Right: "on", Do: func() tea.Cmd {
			m.dropChip(chip)
			return nil
		}})
	}
	none := restrict(func(q *query.Query) { q.Filter, q.Mode = query.Filter{}, "" })
	items = append(items, dialog.Item{Label: "Clear all filters", Do: none})
	return m.openMenu(dialog.MenuOptions{Title: "Filters", None: "No such filter", Items: items})
}

// toggleConversation searches only the conversation of the match under the cursor, or all again.
func (m *model) toggleConversation() tea.Cmd {
	other := m.otherConversation()
	if len(m.asked.Filter.Conversations.In) == 0 && other == uuid.Nil {
		m.footer.Say("No match selected")
		return nil
	}
	m.restrict(func(q *query.Query) { q.Filter.Conversations = oneConversation(other) })
	return nil
}

// oneConversation restricts turns to a conversation, for uuid.Nil to none.
func oneConversation(id uuid.UUID) query.Values[uuid.UUID] {
	if id == uuid.Nil {
		return query.Values[uuid.UUID]{}
	}
	return query.Values[uuid.UUID]{In: []uuid.UUID{id}}
}

func sourceField() query.Field {
	field, _ := query.FieldOf("source")
	return field
}

// openSources lists the sources to filter by.
func (m *model) openSources() tea.Cmd {
	only := func(sources ...string) func() tea.Cmd {
		return func() tea.Cmd {
			m.restrict(func(q *query.Query) { q.Filter.Sources = query.Values[string]{In: sources} })
			return nil
		}
	}
	items := []dialog.Item{{Label: "Any source", Do: only()}}
	for _, s := range sourceField().Values {
		items = append(items, dialog.Item{ID: s, Label: s, Do: only(s)})
	}
	list := dialog.NewMenu(m.ui, dialog.MenuOptions{Title: "Source", None: "No such source", Items: items})
	if in := m.asked.Filter.Sources.In; len(in) > 0 {
		list.Seek(in[0], 0)
	}
	return m.open(list)
}

// otherConversation returns the conversation of the match under the cursor, uuid.Nil if that filter is already on.
func (m *model) otherConversation() uuid.UUID {
	if len(m.asked.Filter.Conversations.In) > 0 {
		return uuid.Nil
	}
	return m.finder.Conversation(m.followed)
}
