package tui

import (
	"cmp"

	tea "charm.land/bubbletea/v2"

	"lens/tui/search"
	"lens/tui/timeline"
)

// pinQuery pins or unpins the current query.
func (m *model) pinQuery() tea.Cmd {
	wanted, pins := m.bar.Sought(), m.finder.Pins()
	name := cmp.Or(m.bar.Exemplar().Title, wanted.Text, "untitled")
	notice, pinned, done := pins.Toggle(search.Pin{Sought: wanted, Name: name})
	m.footer.Say(notice)
	look := m.timeline.Look()
	switch {
	case pinned:
		look.Form = timeline.Comparison
	case done && len(pins.All()) == 0:
		look.Form = timeline.Bars
	}
	m.timeline.SetLook(look)
	return nil
}
