package app

import (
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"lens/tui/dialog"
)

// openPalette lists the commands of this pane and the global ones, with their keys.
func (m *model) openPalette() tea.Cmd {
	here := m.focus
	if here == paneQuery {
		here = paneTimeline
	}
	var items []dialog.Item
	all := slices.Concat(m.keys.panes[here], m.keys.global)
	if m.archive.IsEmpty() {
		all = slices.Concat(m.keys.welcome, m.keys.global)
	}
	for _, c := range all {
		if c.ID == "commands" || !c.IsOffered() {
			continue
		}
		var keys []string
		for _, k := range c.Keys() {
			keys = append(keys, keyLabel(k))
		}
		items = append(items, dialog.Item{
			Label: strings.ReplaceAll(c.ID, "-", " "),
			Right: strings.Join(keys, " "),
			Do: func() tea.Cmd {
				m.focus = here
				return c.Do()
			},
		})
	}
	m.openMenu(dialog.MenuOptions{Title: "Commands", None: "No such command", Items: items})
	return nil
}
