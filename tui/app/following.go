package app

import (
	"time"

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
		w.seekAs(w.cleanQuery(*to.Query))
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
	like := w.similarTo(state.IDOf(q.Like))
	q.Filter.Since, q.Filter.Until = time.Time{}, time.Time{} // the window is the view's
	w.move(func() {
		w.bar.Want(q, like)
		w.timeline.SetView(next.View)
	})
}

// cleanQuery cleans what a peek searched for, as if it had been typed. Numbers of matches and bins are dropped.
func (w *workspace) cleanQuery(q query.Query) query.Query {
	clean := search.Readable(ui.Line(q.String()))
	clean.Like, clean.Mode = q.Like, q.Mode
	if q.Dates != query.DatesSoft && search.NamesDate(clean.Text, w.ui.Now()) {
		clean.Dates = query.DatesOff
	}
	return clean
}
