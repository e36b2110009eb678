package app

import (
	"slices"

	tea "charm.land/bubbletea/v2"

	"lens/tui/dialog"
	"lens/tui/histogram"
	"lens/tui/theme"
)

// openHelp lists the main keys of this pane and of all, then the others, and the signs of the chart.
func (m *model) openHelp() tea.Cmd {
	main, more := m.keys.help(m.focus)
	title := "Keys: " + paneTable[m.focus].title
	m.dialogs.Open(dialog.NewKeys(m.ui, title, main, append(more, signs(m.ui.Theme))))
	return nil
}

// mostMain is how many keys of a pane are listed first.
const mostMain = 8

// mainKeys are the ids of the commands that work everywhere and are listed first.
var mainKeys = []string{
	"query", "next-pane", "chat", "back", "maximise", //nolint:misspell // a command id
	"bookmark", "conversations", "pin", "copy", "write", "commands", "help", "quit",
}

// help lists all keys: the main ones of a pane and of all panes, and the others.
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
		all := hints(k.set(p))
		isMain := mainOf(all)
		for _, h := range all {
			row := dialog.KeyRow{Label: h.label(), Does: h.does, Words: h.words}
			for _, k := range h.keys {
				row.Keys = append(row.Keys, keyLabel(k))
			}
			switch {
			case p == here && isMain[h.first], p == nowhere && slices.Contains(mainKeys, h.first):
				first.Rows = append(first.Rows, row)
			default:
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

// mainOf returns the ids of the main keys of a pane: those that the footer lists, then the first others.
func mainOf(all []hint) map[string]bool {
	main := map[string]bool{}
	for _, foots := range []bool{true, false} {
		for _, h := range all {
			if h.foots == foots && len(main) < mostMain {
				main[h.first] = true
			}
		}
	}
	return main
}

// signs explains the signs of the chart.
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
