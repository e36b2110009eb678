package app

import (
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"lens/tui/dialog"
)

// synonyms are other names of commands, by which the palette finds them.
var synonyms = map[string]string{
	"query":          "search find look date time filter topic",
	"type-range":     "time when range jump date",
	"back":           "undo previous",
	"forward":        "redo next",
	"home":           "start overview topics years",
	"pin":            "compare versus chart",
	"next-chart":     "compare lines bars",
	"sort":           "order newest oldest score",
	"filters":        "only facet role model source",
	"drop-filter":    "remove clear facet",
	"links":          "browser open url original",
	"write":          "export save file markdown download",
	"copy":           "yank clipboard",
	"bookmark":       "remember favorite star",
	"bookmarks":      "remember favorites stars",
	"jobs":           "import add load open data progress",
	"import":         "add load open data",
	"next-theme":     "dark light color mono ascii",
	"local-time":     "zone utc hours",
	"chat":           "ask question ai model",
	"titles":         "conversations chats list browse",
	"more-like-this": "similar related alike",
	"info":           "details facts score why",
	"landmarks":      "first last silence longest peak",
	"maximise":       "full screen zoom size", //nolint:misspell // a command id
	"quit":           "exit close leave",
	"help":           "keys shortcuts",
}

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
			Words: c.Group + " " + synonyms[c.ID],
			Do: func() tea.Cmd {
				m.focus = here
				return c.Do()
			},
		})
	}
	m.openMenu(dialog.MenuOptions{Title: "Commands", None: "No such command", Items: items})
	return nil
}
