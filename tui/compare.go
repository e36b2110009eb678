package tui

import (
	"cmp"

	tea "charm.land/bubbletea/v2"

	"lens/tui/search"
	"lens/tui/timeline"
)

// nextForm cycles through bars, line, and pinned queries.
func (m *model) nextForm() tea.Cmd {
	look := m.timeline.Look()
	look.Form = (look.Form + 1) % 3
	switch {
	case look.Form == timeline.Comparison && len(m.finder.Pins().All()) == 0:
		look.Form = timeline.Bars
		m.footer.Say("Bars (p pins a query to compare)")
	case look.Form == timeline.Comparison:
		m.footer.Say("Pinned queries")
	case look.Form == timeline.Line:
		m.footer.Say("Line chart")
	}
	m.timeline.SetLook(look)
	return nil
}

// pinQuery pins or unpins the current query.
func (m *model) pinQuery() tea.Cmd {
	wanted, pins := m.bar.Sought(), m.finder.Pins()
	notice, pinned, done := pins.Toggle(search.Pin{Sought: wanted, Name: cmp.Or(m.bar.Exemplar().Title, wanted.Text, "untitled")})
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
