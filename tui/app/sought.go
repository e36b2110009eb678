package app

import (
	tea "charm.land/bubbletea/v2"
)

// Steps from one query to another.

// seek changes the query and adds a place to the history.
func (w *workspace) seek(change func()) {
	change()
	w.places.push(w.place())
}

// takeMeant searches for the suggested spelling.
func (w *workspace) takeMeant() tea.Cmd {
	meant := w.finder.Suggestion()
	if meant == "" {
		w.footer.Say("No suggestion")
		return nil
	}
	w.seek(func() {
		q := w.bar.Query()
		q.Text = meant
		w.bar.Want(q, w.bar.Exemplar())
	})
	return nil
}
