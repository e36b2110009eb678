package tui

import (
	"lens/tui/results"
	"lens/tui/search"
	"lens/tui/timeline"
)

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
	if m.archive.IsOpen() {
		m.found = m.finder.Found()
		m.results.Show(m.shownResults())
	}
}

// shownResults returns what the list shows.
func (m *model) shownResults() results.Found {
	z, f := m.timeline.Zoom(), m.found
	n, more, known := m.finder.Elsewhere()
	return results.Found{
		Peek:     f.Peek,
		Fullest:  f.Fullest,
		Searched: f.IsSomething(),
		Oldest:   f.Order == search.OldestFirst,
		Query:    f.Text + " " + f.Like.String(),
		Words:    f.Words(),
		View:     z.Span,
		All:      z.IsAll(),
		Stale:    m.finder.IsStale(),
		Current:  m.finder.IsCurrent(),
		Final:    m.finder.IsFinal(),
		Failure:  m.finder.Failure(),
		Missing: results.Missing{
			Searching:       m.isSearching(),
			OneConversation: len(m.bar.Query().Filter.Conversations.In) > 0,
			Filters:         m.bar.Labels(m.bar.Sought()),
			Suggestion:      m.finder.Suggestion(),
			Elsewhere:       n,
			AtLeast:         more,
			ElsewhereKnown:  known,
			Typing:          m.focus == paneQuery,
			ToChart:         m.keyToChart(),
		},
	}
}

// keyToChart returns the key that moves the focus to the histogram, "" if it has it.
func (m *model) keyToChart() string {
	switch m.focus {
	case paneHistogram:
		return ""
	case paneQuery:
		return m.ui.Key("query.leave-query")
	}
	return m.ui.Key("histogram")
}
