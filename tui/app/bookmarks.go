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
	here := w.place()
	switch shown := w.reader.Wanted(); {
	case w.atHome, w.finder.IsStale(): // the turn is not on the screen, or of the query before
		here.chosen, here.read = uuid.Nil, uuid.Nil
	case shown != uuid.Nil:
		here.chosen = shown
	}
	w.bookmarks.Ask(w.nameFor(here), here.kept(w.timeline.Zoom().All))
	return nil
}

// nameFor suggests a name for a place: its query and its window; where a turn is read that the query does not list, the
// title and the day of that.
func (w *workspace) nameFor(here place) string {
	read := cmp.Or(here.read, here.chosen)
	title := ""
	if t := w.reader.Opened(); t != nil && t.TurnID == read {
		title = t.Title
	}
	match, _ := w.finder.Match(read)
	other := title != "" && match == nil
	search := w.bar.Search()
	parts := append([]string{cmp.Or(w.bar.Similar().Title, search.WithoutFilters())}, w.bar.Labels(search)...)
	if other {
		parts = []string{title}
	} else if len(parts) == 1 {
		parts[0] = cmp.Or(parts[0], title)
	}
	when := w.timeline.Crumb()
	if at, ok := w.timeOf(read); ok {
		moment := w.ui.In(time.Unix(at, 0))
		switch {
		case w.timeline.Zoom().Width() < zoom.DayLong: // the hours in view say less than a day and a time
			when = theme.Day(moment) + ", " + theme.Clock(moment)
		case other:
			when = theme.Day(moment)
		}
	}
	return w.ui.Theme.Remarks(append(parts, when)...)
}

// visit goes to a bookmarked place.
func (w *workspace) visit(to state.Place) {
	p := placeOf(to, w.timeline.Zoom().Whole())
	w.seek(func() { w.arrive(p) })
	w.showTurn(p.chosen)
}
