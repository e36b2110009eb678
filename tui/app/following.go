package app

import (
	"time"

	"github.com/google/uuid"

	"lens/retrieval/query"
	"lens/tui/chat"
	"lens/tui/search"
	"lens/tui/state"
	"lens/tui/turn"
	"lens/tui/ui"
)

// The panes follow the agent: its peeks set the query and the window, and the turns that it reads open in the turn
// pane. Each step is an entry of the history, so that back undoes it. The rules are:
//
//   - It never moves the focus.
//   - It moves nothing while the user is in another pane or has a menu open.

// followAgent moves the panes to what the agent has found.
func (w *workspace) followAgent(to chat.Follow) {
	switch {
	case w.archive.Overview() == nil:
	case to.Turn != nil:
		t := *to.Turn
		turn.Clean(&t)
		w.reader.Keep(&t)
		w.openTurn(t.TurnID, func(p place) { w.places.step(p, w.ui.Now()) })
	case to.Query != nil:
		w.seekAs(cleanQuery(*to.Query))
	}
}

// seekAs takes over the query and the window of a peek.
func (w *workspace) seekAs(q query.Query) {
	now := w.timeline.Zoom()
	window := now.All.Bounded(q.Filter.Since, q.Filter.Until).Clip(now.All)
	if window.Width() <= 0 {
		return
	}
	next := now.Look(window).Auto()
	if next.Span == now.Span {
		next = now // keeps the current bins
	}
	like := w.exemplarOf(state.IDOf(q.Like))
	q.Filter.Since, q.Filter.Until = time.Time{}, time.Time{} // the window is the view's
	w.move(func() {
		w.bar.Want(q, like)
		w.timeline.SetView(next.View)
	})
}

// exemplarOf returns a turn to find similar ones to, with its title where that is known.
func (w *workspace) exemplarOf(turn uuid.UUID) search.Exemplar {
	if known, ok := w.reader.Known(turn); ok {
		return search.Exemplar{Turn: turn, Title: known.Title}
	}
	return search.Exemplar{Turn: turn, Title: onScreen{w}.Title(w.finder.Conversation(turn))}
}

// showTurn shows a turn in the turn pane.
func (w *workspace) showTurn(id uuid.UUID) { w.reader.Show(id, w.finder.Conversation(id)) }

// openTurn opens a turn, listed or not. push adds it to the history: turns that the agent reads in quick succession
// become one entry.
func (w *workspace) openTurn(id uuid.UUID, push func(place)) {
	if id == uuid.Nil || id == w.reader.Wanted() {
		return
	}
	w.results.Seek(id, id)
	w.showTurn(id)
	push(w.place())
}

// move applies a change and adds it to the history, unless it changes nothing.
func (w *workspace) move(change func()) {
	before := w.place()
	change()
	if w.place() != before {
		w.places.push(w.place())
	}
}

// cleanQuery cleans what a peek searched for, as if it had been typed. Numbers of matches and bins are dropped.
func cleanQuery(q query.Query) query.Query {
	clean := search.Readable(ui.Line(q.String()))
	clean.Like, clean.Mode = q.Like, q.Mode
	return clean
}
