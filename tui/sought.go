package tui

import (
	tea "charm.land/bubbletea/v2"
)

// Steps from one query to another.

// seek changes the query and adds a place to the history.
func (m *model) seek(change func()) {
	change()
	m.places.push(m.place())
}

// takeMeant searches for the suggested spelling.
func (m *model) takeMeant() tea.Cmd {
	meant := m.finder.Suggestion()
	if meant == "" {
		m.footer.Say("No suggestion")
		return nil
	}
	m.seek(func() {
		q := m.bar.Query()
		q.Text = meant
		m.bar.Want(q, m.bar.Exemplar())
	})
	return nil
}
