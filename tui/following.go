package tui

import (
	"time"

	"github.com/google/uuid"

	"lens/agent"
	"lens/retrieval"
	"lens/retrieval/timebin"
	"lens/tui/chat"
)

// The panes follow the agent: its peeks set the query and the window, and the turns that it reads open in the turn
// pane. Each step is an entry of the history, so that back undoes it. The rules are:
//
//   - It never moves the focus.
//   - It moves nothing while the user is in another pane or has a menu open.

// follows reports whether the panes may follow the agent.
func (m *model) follows() bool { return m.isChatting() && m.over == nil && m.overview != nil }

// followAgent moves the panes to the result of a step.
func (m *model) followAgent(e agent.Event) {
	result, ok := e.(agent.ToolResult)
	if !ok || !m.follows() {
		return
	}
	step := m.talk.Last().Step(result.ID)
	if step == nil || !step.Worked() {
		return
	}
	switch t, read := result.Detail.(*retrieval.Turn); {
	case read && t != nil:
		m.read.put(t.TurnID, t)
		m.openTurn(t.TurnID, func(p place) { m.places.step(p, m.now()) })
	case step.Tool == agent.ToolPeek:
		m.seekAs(step)
	}
}

// seekAs takes over the query and the window of a step.
func (m *model) seekAs(s *chat.Step) {
	window, ok := windowOf(s, m.zoom.all, m.now())
	if !ok {
		return
	}
	next := m.wholeView()
	if window != m.zoom.all {
		next = m.zoom.look(window).auto()
	}
	if next.span == m.zoom.span {
		next = m.zoom // keeps the current bins
	}
	m.move(func() {
		m.want(s.Asked, exemplar{})
		m.zoom = next.idle()
	})
}

// windowOf returns the window of a peek, clipped to the archive; false when nothing is left.
func windowOf(s *chat.Step, all span, now time.Time) (span, bool) {
	window := all
	if since, err := timebin.ParseSince(s.Since, now); s.Since != "" && err == nil {
		window.from = since.Unix()
	}
	if until, err := timebin.ParseSince(s.Until, now); s.Until != "" && err == nil {
		window.to = until.Unix()
	}
	window = window.clip(all)
	return window, window.width() > 0
}

// openTurn opens a turn, listed or not. push adds it to the history: turns that the agent reads in quick succession
// become one entry.
func (m *model) openTurn(id uuid.UUID, push func(place)) {
	if id == uuid.Nil || id == m.shown {
		return
	}
	m.places.replace(m.place())
	m.choose, m.landing, m.shown = id, id, id
	push(m.place())
}

// land opens the pending turn once the list has arrived.
func (m *model) land() {
	if m.landing != uuid.Nil && m.choose == uuid.Nil {
		m.shown, m.landing = m.landing, uuid.Nil
	}
}

// move applies a change and adds it to the history, unless it changes nothing.
func (m *model) move(change func()) {
	before := m.place()
	m.places.replace(before)
	change()
	if m.place() != before {
		m.places.push(m.place())
	}
}
