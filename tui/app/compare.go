package app

import (
	"cmp"

	tea "charm.land/bubbletea/v2"

	"lens/tui/search"
	"lens/tui/timeline"
)

// pinQuery pins or unpins the current query.
func (w *workspace) pinQuery() tea.Cmd {
	wanted, pins := w.bar.Search(), w.finder.Pins()
	name := cmp.Or(w.bar.Similar().Title, wanted.Text, "untitled")
	notice, pinned, done := pins.Toggle(search.Pin{Search: wanted, Name: name})
	w.footer.Say(notice)
	look := w.timeline.Look()
	switch {
	case pinned:
		look.Form = timeline.Comparison
	case done && len(pins.All()) == 0:
		look.Form = timeline.Bars
	}
	w.timeline.SetLook(look)
	return nil
}
