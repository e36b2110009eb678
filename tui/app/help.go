package app

import (
	tea "charm.land/bubbletea/v2"

	"lens/tui/dialog"
	"lens/tui/histogram"
	"lens/tui/theme"
)

// openHelp lists the keys of this pane, then those that work everywhere, then all others, and the signs of the chart.
func (m *model) openHelp() tea.Cmd {
	title := "Keys: " + paneTable[m.focus].title
	m.dialogs.Open(dialog.NewKeys(m.ui, title, append(m.keys.help(m.focus), signs(m.ui.Theme))))
	return nil
}

// help lists all keys: those of a pane first.
func (k keymap) help(here pane) []dialog.Section {
	order := []pane{here, nowhere}
	for p := range paneCount {
		if p != here {
			order = append(order, p)
		}
	}
	var all []dialog.Section
	for _, p := range order {
		s := dialog.Section{Title: "Everywhere"}
		if p != nowhere {
			s.Title = paneTable[p].title
		}
		for _, h := range hints(k.set(p)) {
			row := dialog.KeyRow{Label: h.label(), Does: h.does, Words: h.words}
			for _, k := range h.keys {
				row.Keys = append(row.Keys, keyLabel(k))
			}
			s.Rows = append(s.Rows, row)
		}
		all = append(all, s)
	}
	return all
}

// signs explains the signs of the histogram.
func signs(th theme.Theme) dialog.Section {
	g := histogram.Glyphs(th)
	bar, area, part := histogram.Samples(th)
	return dialog.Section{Title: "Signs of the chart", Rows: []dialog.KeyRow{
		{Label: bar, Does: "what the title counts"},
		{Label: area, Does: "all turns, own scale"},
		{Label: part, Does: "incomplete: partly out of view"},
		{Label: th.Selected.Render(g.CursorMark), Does: "cursor"},
		{Label: th.Mark.Render(g.MatchMark), Does: "match that is read"},
		{Label: th.Selected.Render(g.RailFrom + g.Rail + g.Rail + g.RailTo), Does: "brush (selected bins)"},
	}}
}
