package app

import (
	tea "charm.land/bubbletea/v2"

	"lens/retrieval/query"
	"lens/tui/home"
	"lens/tui/search"
)

// Home is shown until another pane than the query gets the focus, or something is searched for. It is a place of the
// history like any other.

// settleHome moves the focus to home when that is shown, and leaves it when the focus or a search does.
func (m *model) settleHome() {
	switch {
	case !m.atHome:
	case m.archive.IsEmpty(), m.isSearching(), m.archive.Overview() != nil && !m.home.HasDays():
		m.atHome = false
	case !m.showsHome: // it was not shown before
		m.focus = paneHome
	case m.focus != paneHome && m.focus != paneQuery:
		m.atHome = false
	}
	if m.showsHome = m.atHome; !m.atHome && m.focus == paneHome {
		m.focus = paneTimeline
	}
}

// leaveQuery moves the focus from the query to what it is about.
func (m *model) leaveQuery() tea.Cmd {
	m.focus = paneTimeline
	if m.atHome {
		m.focus = paneHome
	}
	return nil
}

// goHome shows home, without a query and over all time, as a step that can be undone.
func (m *model) goHome() tea.Cmd {
	if m.atHome || m.archive.Overview() == nil {
		return nil
	}
	m.move(func() {
		m.bar.Want(query.Query{}, search.Similar{})
		m.timeline.SetView(m.timeline.Zoom().Whole().View)
		m.atHome = true
	})
	return nil
}

// lookInto shows a window.
func (m *model) lookInto(to home.LookInto) {
	m.atHome, m.focus = false, paneTimeline
	m.timeline.Enter(to.Window.Clip(m.timeline.Zoom().All))
}

// lookIntoTopic searches a topic.
func (m *model) lookIntoTopic(name string) {
	m.seek(func() {
		m.atHome, m.focus = false, paneResults
		q := query.Query{}
		q.Filter.Topics.Add(name, false)
		m.bar.Want(q, search.Similar{})
	})
}
