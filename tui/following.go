package tui

import (
	"time"

	"github.com/google/uuid"

	"lens/agent"
	"lens/retrieval"
	"lens/retrieval/timebin"
	"lens/tui/chat"
	"lens/tui/querybar"
)

// What the agent looks at is looked at here too: its peeks become the query, their windows the view, the turns that it reads are in the turn
// pane. All of it goes to new places, so that back undoes it. The rules are:
//
//   - It never moves the focus.
//   - It moves nothing while the person types or reads elsewhere than in the chat, or has a menu open: then it is told in the chat alone.

// follows reports whether the panes may follow the agent.
func (m *model) follows() bool { return m.isChatting() && m.over == nil && m.overview != nil }

// followAgent looks at what the agent has found.
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
	case step.Tool == agent.Peek:
		m.seekAs(step)
	}
}

// seekAs seeks what a step of the agent has sought, where it has.
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
		next = m.zoom // in the bins that one sees already
	}
	m.move(func() {
		m.bar, m.like, m.typing = querybar.New(s.Query), exemplar{}, false
		m.narrow = narrowing{conversation: idOf(s.Conversation)}
		m.zoom = next.idle()
	})
}

// windowOf returns the window of a peek, as the tool reads it; false when there is none in the archive.
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

// openTurn reads a turn, whether it is listed or not. push says how the place is remembered: what the agent reads in quick succession is
// one place.
func (m *model) openTurn(id uuid.UUID, push func(place)) {
	if id == uuid.Nil || id == m.shown {
		return
	}
	m.places.replace(m.place())
	m.choose, m.landing, m.shown = id, id, id
	push(m.place())
}

// land shows the turn that is read at a place, once the list is there.
func (m *model) land() {
	if m.landing != uuid.Nil && m.choose == uuid.Nil {
		m.shown, m.landing = m.landing, uuid.Nil
	}
}

// move goes to a place, unless one is there already.
func (m *model) move(change func()) {
	before := m.place()
	m.places.replace(before)
	change()
	if m.place() != before {
		m.places.push(m.place())
	}
}
