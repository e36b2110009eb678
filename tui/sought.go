package tui

import (
	tea "charm.land/bubbletea/v2"
	"github.com/google/uuid"

	"lens/tui/search"
)

// Steps from one query to another.

// seek changes the query and adds a place to the history.
func (m *model) seek(change func()) {
	change()
	m.places.push(m.place())
}

// seekAlike searches for turns similar to the match under the cursor.
func (m *model) seekAlike() tea.Cmd {
	match, ok := m.list.Chosen()
	if !ok {
		m.footer.Say("No turn selected")
		return nil
	}
	m.bar.SeekLike(search.Exemplar{Turn: uuid.MustParse(match.ID), Title: match.Title})
	return nil
}
