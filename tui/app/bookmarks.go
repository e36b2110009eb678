package app

import (
	"cmp"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/google/uuid"

	"lens/tui/state"
	"lens/tui/theme"
	"lens/tui/zoom"
)

// A bookmark is a named place: a query, a window, and the turn that was open.

// bookmark asks for a name and saves the current place under it.
func (w *workspace) bookmark() tea.Cmd {
	search := w.bar.Search()
	parts := append([]string{cmp.Or(w.bar.Similar().Title, search.WithoutFilters())}, w.bar.Labels(search)...)
	if t := w.reader.Opened(); t != nil && len(parts) == 1 && !w.atHome {
		parts[0] = cmp.Or(parts[0], t.Title)
	}
	here := w.place()
	switch shown := w.reader.Wanted(); {
	case w.atHome, w.finder.IsStale(): // the turn is not on the screen, or of the query before
		here.chosen, here.read = uuid.Nil, uuid.Nil
	case shown != uuid.Nil:
		here.chosen = shown
	}
	when := w.timeline.Crumb()
	if at, ok := w.timeOf(cmp.Or(here.read, here.chosen)); ok && w.timeline.Zoom().Width() < zoom.DayLong {
		moment := w.ui.In(time.Unix(at, 0))
		when = theme.Day(moment) + ", " + theme.Clock(moment) // which says more than the hours in view
	}
	suggested := w.ui.Theme.Remarks(append(parts, when)...)
	w.bookmarks.Ask(suggested, here.kept(w.timeline.Zoom().All))
	return nil
}

// visit goes to a bookmarked place.
func (w *workspace) visit(to state.Place) {
	p := placeOf(to, w.timeline.Zoom().Whole())
	w.seek(func() { w.arrive(p) })
	w.showTurn(p.chosen)
}
