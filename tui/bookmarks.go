package tui

import (
	"cmp"

	tea "charm.land/bubbletea/v2"
	"github.com/google/uuid"

	"lens/tui/state"
)

// A bookmark is a named place: a query, a window, and the turn that was open.

// bookmark asks for a name and saves the current place under it.
func (m *model) bookmark() tea.Cmd {
	suggested := cmp.Or(m.bar.Exemplar().Title, m.bar.Sought().Text)
	if t := m.reader.Opened(); t != nil {
		suggested = cmp.Or(suggested, t.Title)
	}
	suggested = m.ui.Theme.Remarks(suggested, m.timeline.Crumb())
	here := m.place()
	if shown := m.reader.Wanted(); shown != uuid.Nil {
		here.chosen = shown
	}
	m.bookmarks.Ask(suggested, here.kept(m.timeline.Zoom().All))
	return nil
}

// visit goes to a bookmarked place.
func (m *model) visit(to state.Place) {
	p := placeOf(to, m.timeline.Zoom().Whole())
	m.seek(func() { m.arrive(p) })
	m.showTurn(p.chosen)
}
