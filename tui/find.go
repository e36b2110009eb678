package tui

import (
	"cmp"
	"slices"

	"github.com/google/uuid"

	"lens/retrieval"
	"lens/tui/marks"
	"lens/tui/matches"
	"lens/tui/search"
	"lens/tui/timeline"
	"lens/tui/zoom"
)

// listing is what the rows of the list depend on.
type listing struct {
	peek  *retrieval.Peek
	view  zoom.Span
	order search.Order
	marks int // how often marks have changed
	local bool
}

// find tells the finder what is wanted, and lists what it has found.
func (m *model) find() {
	m.finder.Want(search.Wanted{
		Key:    m.wantedFind(),
		Words:  m.bar.Query().Text,
		View:   m.timeline.Zoom().Span,
		All:    m.timeline.Zoom().IsAll(),
		Typing: m.focus == paneQuery,
	})
	m.finder.Pins().Show(m.timeline.Look().Form == timeline.Comparison)
	if m.engine != nil {
		m.show(m.finder.Found())
	}
}

// show lists the matches in view.
func (m *model) show(f search.Result) {
	if f.Text != m.found.Text || f.Like != m.found.Like { // a new query starts at its best match
		m.list = matches.List{}
	}
	m.found = f
	if now := (listing{f.Peek, m.timeline.Zoom().Span, m.orderOf(f), m.markings, m.local}); now != m.listing {
		m.listing = now
		m.list.Set(m.items())
	}
	if m.choose != uuid.Nil && (m.list.Choose(m.choose.String()) || m.finder.IsComplete()) {
		m.choose = uuid.Nil
	}
	m.follow()
	m.land()
}

// follow opens the match under the cursor when it has changed.
func (m *model) follow() {
	var id uuid.UUID
	if chosen, ok := m.list.Chosen(); ok {
		id = uuid.MustParse(chosen.ID)
	}
	if id != m.followed {
		m.followed = id
		m.showTurn(id)
	}
}

// items returns the rows for the matches in view.
func (m *model) items() []matches.Item {
	if m.found.Peek == nil {
		return nil
	}
	find := marks.Of(m.found.Words()).Find
	var items []matches.Item
	for i := range m.found.Peek.Matches {
		match := &m.found.Peek.Matches[i]
		if !m.timeline.Zoom().IsAll() && (match.Time == nil || !m.timeline.Zoom().Holds(match.Time.Unix())) {
			continue
		}
		item := matches.Item{
			ID: match.TurnID.String(), Date: "undated", Title: cmp.Or(match.Title, "untitled"),
			Snippet: cmp.Or(match.UserSnippet, match.AssistantSnippet), Marked: m.marked[match.TurnID],
		}
		if match.Chunk != nil { // its user text is just a heading
			item.Snippet = cmp.Or(match.AssistantSnippet, match.UserSnippet)
		}
		if m.found.IsSomething() && match.Score != nil {
			item.Rank, item.Score = i+1, *match.Score
		}
		if match.Time != nil {
			item.At = match.Time.Unix()
			item.Date, item.Clock = m.ui.Day(*match.Time), m.ui.Clock(*match.Time)
		}
		item.Hits = find(item.Snippet)
		items = append(items, item)
	}
	arrangeBy(m.orderOf(m.found), items)
	return slices.Clip(items)
}
