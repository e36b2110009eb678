package app

import (
	tea "charm.land/bubbletea/v2"

	"lens/retrieval/query"
	"lens/tui/home"
	"lens/tui/search"
)

// Home is shown until another pane than the query gets the focus, or something is searched for. It is a place of the
// history like any other.

// settleHome moves the focus to home when that is to be shown, and leaves it when the focus or a search does. An
// archive without dates has nothing to show there, and an empty one nothing yet.
func (m *model) settleHome() {
	canShow := !m.archive.IsEmpty() && (m.archive.Overview() == nil || m.home.HasDays())
	switch {
	case !m.atHome || !canShow:
	case m.isSearching():
		m.atHome = false
	case !m.showsHome:
		m.focus = paneHome
	case m.focus != paneHome && m.focus != paneQuery:
		m.atHome = false
		m.places.push(m.place())
	}
	if m.showsHome = m.atHome && canShow; !m.showsHome && m.focus == paneHome {
		m.focus = paneTimeline
	}
}

// showsPanes reports whether there is anything to arrange, or to list.
func (m *model) showsPanes() bool { return !m.showsHome }

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

// leaveHomeFor moves the focus from home, if it is shown, to a pane.
func (m *model) leaveHomeFor(p pane) {
	if m.atHome {
		m.atHome, m.focus = false, p
	}
}

// lookInto shows a window, and lists what is in it. That of the whole archive is also a step.
func (m *model) lookInto(to home.LookInto) {
	m.keepAll = false
	m.leaveHomeFor(paneTimeline)
	if to.Lists {
		m.focus = paneResults
	}
	before := m.timeline.Zoom().View
	if m.timeline.Enter(to.Window.Clip(m.timeline.Zoom().All)); m.timeline.Zoom().View == before {
		m.places.push(m.place())
	}
}

// lookIntoTopic searches a topic, over all time at first.
func (m *model) lookIntoTopic(name string) {
	m.keepAll = false
	m.seek(func() {
		m.atHome, m.focus = false, paneResults
		m.timeline.SetView(m.timeline.Zoom().Whole().View)
		q := query.Query{}
		q.Filter.Topics.Add(name, false)
		m.bar.Want(q, search.Similar{})
	})
}
