package tui

import (
	"time"

	"github.com/google/uuid"

	"lens/retrieval/query"
	"lens/tui/chat"
	"lens/tui/search"
	"lens/tui/state"
	"lens/tui/turn"
)

// The panes follow the agent: its peeks set the query and the window, and the turns that it reads open in the turn
// pane. Each step is an entry of the history, so that back undoes it. The rules are:
//
//   - It never moves the focus.
//   - It moves nothing while the user is in another pane or has a menu open.

// follows reports whether the panes may follow the agent.
func (m *model) follows() bool {
	return m.isChatting() && !m.dialogs.IsOpen() && m.archive.Overview() != nil
}

// followAgent moves the panes to what the agent has found.
func (m *model) followAgent(to chat.Follow) {
	switch {
	case !m.follows():
	case to.Turn != nil:
		t := *to.Turn
		turn.Clean(&t)
		m.reader.Keep(&t)
		m.openTurn(t.TurnID, func(p place) { m.places.step(p, m.ui.Now()) })
	case to.Query != nil:
		m.seekAs(cleanQuery(*to.Query))
	}
}

// seekAs takes over the query and the window of a peek.
func (m *model) seekAs(q query.Query) {
	now := m.timeline.Zoom()
	window := now.All.Bounded(q.Filter.Since, q.Filter.Until).Clip(now.All)
	if window.Width() <= 0 {
		return
	}
	next := now.Look(window).Auto()
	if next.Span == now.Span {
		next = now // keeps the current bins
	}
	like := m.exemplarOf(state.IDOf(q.Like))
	q.Filter.Since, q.Filter.Until = time.Time{}, time.Time{} // the window is the view's
	m.move(func() {
		m.bar.Want(q, like)
		m.timeline.SetView(next.View)
	})
}

// exemplarOf returns a turn to find similar ones to, with its title where that is known.
func (m *model) exemplarOf(turn uuid.UUID) search.Exemplar {
	if known, ok := m.reader.Known(turn); ok {
		return search.Exemplar{Turn: turn, Title: known.Title}
	}
	return search.Exemplar{Turn: turn, Title: shown{m.workspace}.Title(m.finder.Conversation(turn))}
}

// showTurn shows a turn in the turn pane.
func (m *model) showTurn(id uuid.UUID) { m.reader.Show(id, m.finder.Conversation(id)) }

// openTurn opens a turn, listed or not. push adds it to the history: turns that the agent reads in quick succession
// become one entry.
func (m *model) openTurn(id uuid.UUID, push func(place)) {
	if id == uuid.Nil || id == m.reader.Wanted() {
		return
	}
	m.results.Seek(id, id)
	m.showTurn(id)
	push(m.place())
}

// move applies a change and adds it to the history, unless it changes nothing.
func (m *model) move(change func()) {
	before := m.place()
	change()
	if m.place() != before {
		m.places.push(m.place())
	}
}
