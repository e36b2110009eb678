package app

import (
	"slices"

	tea "charm.land/bubbletea/v2"

	"lens/tui/dialog"
	"lens/tui/histogram"
	"lens/tui/theme"
)

// openHelp lists the keys of this pane and the main ones of all panes, then the others, and the signs of the chart.
func (m *model) openHelp() tea.Cmd {
	main, more := m.keys.help(m.focus)
	title := "Keys: " + paneTable[m.focus].title
	m.dialogs.Open(dialog.NewKeys(m.ui, title, main, append(more, signs(m.ui.Theme))))
	return nil
}

// mainKeys are the ids of the commands that work everywhere and are listed first.
var mainKeys = []string{
	"query", "next-pane", "chat", "back", "maximise", //nolint:misspell // a command id
	"bookmark", "conversations", "pin", "copy", "write", "commands", "help", "quit",
}

// help lists all keys: those of a pane with the main ones of all panes, and the others.
func (k keymap) help(here pane) (main, more []dialog.Section) {
	order := []pane{here, nowhere}
	for p := range paneCount {
		if p != here {
			order = append(order, p)
		}
	}
	for _, p := range order {
		title := "Everywhere"
		if p != nowhere {
			title = paneTable[p].title
		}
		first, rest := dialog.Section{Title: title}, dialog.Section{Title: title}
		for _, h := range hints(k.set(p)) {
			row := dialog.KeyRow{Label: h.label(), Does: h.does, Words: h.words, Apart: h.apart}
			for _, k := range h.keys {
				row.Keys = append(row.Keys, keyLabel(k))
			}
			if p == here || p == nowhere && slices.Contains(mainKeys, h.first) {
				first.Rows = append(first.Rows, row)
			} else {
				rest.Rows = append(rest.Rows, row)
			}
		}
		if len(first.Rows) > 0 {
			main = append(main, first)
		}
		if len(rest.Rows) > 0 {
			more = append(more, rest)
		}
	}
	return main, more
}

// signs explains the signs of the chart.
func signs(th theme.Theme) dialog.Section {
	g := histogram.Glyphs(th)
	bar, area, part := histogram.Samples(th)
	return dialog.Section{Title: "Signs of the chart", Rows: []dialog.KeyRow{
		{Label: bar, Does: "what the title counts"},
		{Label: area, Does: "all turns, own scale"},
		{Label: part, Does: "incomplete (partly in view)"},
		{Label: th.Selected.Render(g.CursorMark), Does: "cursor"},
		{Label: th.Mark.Render(g.MatchMark), Does: "match that is read"},
		{Label: th.Selected.Render(g.RailFrom + g.Rail + g.Rail + g.RailTo), Does: "brush (selected bins)"},
	}}
}
