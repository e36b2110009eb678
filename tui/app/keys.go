package app

import (
	"slices"

	tea "charm.land/bubbletea/v2"

	"lens/tui/ui"
)

// The default keys: those of the components, and here those that concern several.

func (m *model) keymap() keymap {
	return keymap{welcome: m.welcome.Commands(), global: m.globalKeys(), panes: [paneCount][]ui.Command{
		paneTimeline: m.besideHome(m.histogramKeys()),
		paneResults:  m.besideHome(m.matchKeys()),
		paneReader:   m.besideHome(m.turnKeys()),
		paneDetails:  m.infoKeys(),
		paneQuery:    m.queryKeys(),
		paneChat:     m.chat.Commands(),
		paneQuestion: m.askKeys(),
		paneHome:     m.homeKeys(),
	}}
}

// besideHome offers the wide commands of a pane only while it is shown.
func (m *model) besideHome(of []ui.Command) []ui.Command {
	for i, c := range of {
		if c.Wide {
			of[i] = offered(m.showsPanes, c)
		}
	}
	return of
}

func (m *model) globalKeys() []ui.Command {
	return slices.Concat([]ui.Command{
		ui.Hinted("query", "/", "search", m.openQuery),
		ui.Hinted("next-pane", "tab", nextPaneWords, m.stepPane(1)),
		ui.On("previous-pane", "shift+tab", "previous pane", m.stepPane(-1)),
		ui.On("histogram", "1", "go to pane", m.focusOn(paneTimeline)),
		ui.On("matches", "2", "go to pane", m.focusOn(paneResults)),
		ui.On("turn", "3", "go to pane", m.focusOn(paneReader)),
		ui.On("info", "5", "go to pane", m.focusOn(paneDetails)),
		ui.Hinted("commands", ": ctrl+p", "commands", m.openPalette),
		ui.Hinted("chat", "c 4 i", "chat", m.openChat).While(m.hidesChat),
		ui.Hinted("back", "u backspace", "back/forward", m.goBack).Saying(m.wayBack),
		ui.Hinted("forward", "U", "back/forward", m.goForward).Saying(m.wayForward),
		ui.On("home", "", "home", m.goHome),
		ui.On("bookmark", "b", "bookmark, bookmarks", m.bookmark).Leading(),
		ui.On("bookmarks", "B", "bookmark, bookmarks", m.bookmarks.Open),
		ui.On("conversations", "A", "conversations", m.openConversations),
		ui.On("pin", "p", "compare queries, list", m.askCompared),
		ui.On("pinned", "P", "compare queries, list", m.openPinned),
	}, m.exporter.Commands(), []ui.Command{
		ui.On("drop-filter", "X", "drop the last filter", m.bar.DropLast),
		offered(m.showsPanes, ui.On("keep-all", "F", "keep all matches listed", m.toggleKeep)),
		offered(m.showsPanes, ui.On("bring-window", "V", "window to what is read", m.bringWindow)),
		ui.On("take-suggestion", "ctrl+y", "accept suggestion", m.acceptSuggestion),
		ui.On("jobs", ".", "jobs: import, cancel", m.jobs.List),
		ui.On("landmarks", "I", "landmarks", m.openLandmarks),
		offered(m.searchesOffline, ui.On("search-offline", "O", "search offline", m.openProof)),
		offered(m.showsPanes, ui.On("narrower", "(", "resize panes", m.resizeBy(-1, 0))),
		offered(m.showsPanes, ui.On("wider", ")", "resize panes", m.resizeBy(1, 0))),
		offered(m.showsPanes, ui.On("lower", "", "resize panes", m.resizeBy(0, -1))),
		offered(m.showsPanes, ui.On("higher", "", "resize panes", m.resizeBy(0, 1))),
		ui.On("next-theme", "T,t", "next theme", m.nextTheme),
		ui.On("local-time", "T,z", "local time/UTC", m.toggleLocal),
		ui.On("toggle-mouse", "M", "mouse on/off", m.toggleMouse),
		ui.On("errors", "E", "errors", m.errors.Open),
		ui.On("retry", "r", "retry what failed", m.redraw),
		ui.On("redraw", "ctrl+l", "redraw", m.redraw),
		ui.On("suspend", "ctrl+z", "suspend", m.suspend),
		offered(m.hasVault, ui.On("lock", "", "", m.lock)),
		ui.On("interrupt", "ctrl+c", "cancel, or quit", m.interrupt),
		offered(m.showsPanes, ui.On("maximise", "z", "full size", m.maximize)), //nolint:misspell // a command id
		ui.On("quit", "q", "quit", quit),
		ui.Hinted("help", "?", "keys", m.openHelp),
	})
}

func (m *model) queryKeys() []ui.Command {
	return slices.Concat([]ui.Command{
		ui.Hinted("search", "enter", "search", m.leaveQuery),
		ui.Hinted("to-matches", "down", "go to matches", m.laterOrMatches),
		ui.On("next-pane", "tab", "", m.completeOr(1, m.focusOn(paneTimeline))),
		ui.On("previous-pane", "shift+tab", "", m.completeOr(-1, m.focusOn(paneReader))),
		ui.Hinted("leave-query", "esc ctrl+g", "leave", m.leaveQuery),
	}, m.bar.Commands(), []ui.Command{
		ui.On("take-suggestion", "ctrl+y", "accept suggestion", m.acceptSuggestion),
		ui.On("interrupt", "ctrl+c", "", m.interrupt),
		ui.On("suspend", "ctrl+z", "", m.suspend),
		ui.On("redraw", "ctrl+l", "", m.redraw),
		ui.On("commands", "ctrl+p", "", m.openPalette),
	})
}

// histogramKeys adds what concerns also others.
func (m *model) histogramKeys() []ui.Command {
	all := m.timeline.Commands()
	out := &all[named(all, "leave")]
	dropBrush := out.Do
	out.Group = "clear brush, or go home"
	out.Do = func() tea.Cmd {
		if m.timeline.Zoom().Brushes {
			return dropBrush()
		}
		return m.goHome()
	}
	return append(all, ui.On("down", "j down", "go to matches", m.focusOn(paneResults)))
}

func (m *model) matchKeys() []ui.Command {
	return append(m.results.Commands(), ui.On("leave", "esc", "go to chart", m.focusOn(paneTimeline)))
}

func (m *model) turnKeys() []ui.Command {
	return append(slices.Concat(m.reader.Commands(), m.exporter.TurnCommands()),
		ui.On("leave", "esc", "go to matches", m.leaveTurn),
	)
}

func (m *model) infoKeys() []ui.Command {
	return append(m.details.Commands(),
		ui.Hinted("leave", "esc", "go to matches", m.focusOn(paneResults)),
		ui.Hinted("look-into", "enter", "go to turn", m.focusOn(paneReader)),
	)
}

func (m *model) homeKeys() []ui.Command {
	all := m.timeline.Commands()
	date := all[named(all, "type-range")]
	date.Wide = false
	return append(m.home.Commands(), date)
}

// askKeys are the commands of the question, and those of the app that work while one types.
func (m *model) askKeys() []ui.Command {
	keys := append(m.chat.QuestionCommands(),
		ui.On("next-pane", "tab", "", m.focusOn(paneTimeline)),
		ui.On("previous-pane", "shift+tab", "", m.focusOn(paneReader)),
	)
	for _, c := range m.queryKeys() {
		switch c.ID {
		case "interrupt", "suspend", "redraw", "commands":
			keys = append(keys, c)
		}
	}
	return keys
}
