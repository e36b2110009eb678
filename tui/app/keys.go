package app

import (
	"slices"

	tea "charm.land/bubbletea/v2"

	"lens/tui/ui"
)

// The default keys. To add a command, add a line here and put its action in the file of its subject.

func (b binder) keymap() keymap {
	return keymap{b.globalKeys(), [paneCount][]ui.Command{
		paneHistogram: b.histogramKeys(),
		paneMatches:   b.matchKeys(),
		paneTurn:      b.turnKeys(),
		paneInfo:      b.infoKeys(),
		paneQuery:     b.queryKeys(),
		paneChat:      b.m.chat.Commands(),
		paneAsk:       b.askKeys(),
	}}
}

func (b binder) globalKeys() []ui.Command {
	return slices.Concat([]ui.Command{
		b.hinted("query", "/", "query", focusOn(paneQuery)),
		b.hinted("next-pane", "tab", nextPaneWords, stepPane(1)),
		b.on("previous-pane", "shift+tab", "previous pane", stepPane(-1)),
		b.on("histogram", "1", "go to pane", focusOn(paneHistogram)),
		b.on("matches", "2", "go to pane", focusOn(paneMatches)),
		b.on("turn", "3", "go to pane", focusOn(paneTurn)),
		b.on("info", "5", "go to pane", focusOn(paneInfo)),
		b.hinted("chat", "c 4", "chat", (*model).openChat),
		b.hinted("back", "u backspace", "back/forward", func(m *model) tea.Cmd { return m.goBack() }),
		b.hinted("forward", "U", "back/forward", func(m *model) tea.Cmd { return m.goForward() }),
		b.on("titles", "A", "conversations by title", func(m *model) tea.Cmd { return m.results.OpenTitles() }),
		b.on("drop-filter", "X", "drop the last filter", func(m *model) tea.Cmd { return m.bar.DropLast() }),
		b.on("bookmark", "b", "bookmark this place", func(m *model) tea.Cmd { return m.bookmark() }),
		b.on("bookmarks", "B", "bookmarks", func(m *model) tea.Cmd { m.bookmarks.Open(); return nil }),
		b.on("take-suggestion", "ctrl+n", "", func(m *model) tea.Cmd { return m.takeMeant() }),
		b.on("jobs", ".", "jobs: import, cancel", func(m *model) tea.Cmd { return m.jobs.List() }),
		b.on("landmarks", "I", "landmarks", func(m *model) tea.Cmd { return m.openLandmarks() }),
		b.offered(b.m.searchesOffline, b.on("search-offline", "O", "search offline", func(m *model) tea.Cmd { return m.openProof() })),
	}, b.m.exporter.Commands(), []ui.Command{
		b.on("narrower", "<", "resize panes", resizeBy(-1, 0)),
		b.on("wider", ">", "resize panes", resizeBy(1, 0)),
		b.on("lower", "-", "resize panes", resizeBy(0, -1)),
		b.on("higher", "+", "resize panes", resizeBy(0, 1)),
		b.on("maximise", "z", "maximize pane", maximize), //nolint:misspell // a command id
		b.on("next-theme", "T,T", "next theme", func(m *model) tea.Cmd { return m.nextTheme() }),
		b.on("local-time", "T,z", "local time/UTC", func(m *model) tea.Cmd { return m.toggleLocal() }),
		b.on("toggle-mouse", "M", "mouse on/off", func(m *model) tea.Cmd { return m.toggleMouse() }),
		b.on("errors", "E", "errors", func(m *model) tea.Cmd { return m.errors.Open() }),
		b.on("redraw", "ctrl+l", "redraw and reload", (*model).redraw),
		b.on("suspend", "ctrl+z", "suspend", (*model).suspend),
		b.offered(b.m.hasVault, b.on("lock", "", "", (*model).lock)),
		b.on("interrupt", "ctrl+c", "cancel, or quit", (*model).interrupt),
		b.hinted("commands", ": ctrl+p", "commands", (*model).openPalette),
		b.on("quit", "q", "close, or quit", func(*model) tea.Cmd { return tea.Quit }),
		b.hinted("help", "?", "help", (*model).openHelp),
	})
}

func (b binder) queryKeys() []ui.Command {
	return slices.Concat([]ui.Command{
		b.hinted("search", "enter", "search", focusOn(paneHistogram)),
		b.hinted("to-matches", "down", "go to matches", focusOn(paneMatches)),
		b.on("next-pane", "tab", "", completeOr(1, focusOn(paneHistogram))),
		b.on("previous-pane", "shift+tab", "", completeOr(-1, focusOn(paneTurn))),
		b.hinted("leave-query", "esc ctrl+g", "leave", focusOn(paneHistogram)),
	}, b.m.bar.Commands(), []ui.Command{
		b.on("take-suggestion", "ctrl+n", "accept suggestion", func(m *model) tea.Cmd { return m.takeMeant() }),
		b.on("interrupt", "ctrl+c", "", (*model).interrupt),
		b.on("suspend", "ctrl+z", "", (*model).suspend),
		b.on("redraw", "ctrl+l", "", (*model).redraw),
		b.on("commands", "ctrl+p", "", (*model).openPalette),
	})
}

// histogramKeys adds what concerns also others, beside the commands of the timeline with which it shares a line of the
// help.
func (b binder) histogramKeys() []ui.Command {
	all := b.m.timeline.Commands()
	all = slices.Insert(all, named(all, "next-chart"),
		b.on("pin", "p", "pin query, change chart", func(m *model) tea.Cmd { return m.pinQuery() }))
	all = slices.Insert(all, named(all, "toggle-share"),
		b.on("keep-scope", "F", "search window or all time", func(m *model) tea.Cmd { return m.toggleScope() }))
	return append(all, b.on("to-matches", "j down", "go to matches", focusOn(paneMatches)))
}

func (b binder) matchKeys() []ui.Command {
	return append(b.m.results.Commands(),
		b.on("to-histogram", "h left", "", focusOn(paneHistogram)),
	)
}

func (b binder) turnKeys() []ui.Command {
	return append(slices.Concat(b.m.reader.Commands(), b.m.exporter.TurnCommands()),
		b.on("to-matches", "h left esc", "go to matches", focusOn(paneMatches)),
	)
}

func (b binder) infoKeys() []ui.Command {
	return append(b.m.details.Commands(),
		b.hinted("to-matches", "h left esc", "go to matches", focusOn(paneMatches)),
		b.hinted("turn", "l right enter", "go to turn", focusOn(paneTurn)),
	)
}

// askKeys are the commands of the question, and those of the app that work while one types.
func (b binder) askKeys() []ui.Command {
	keys := append(b.m.chat.QuestionCommands(),
		b.on("next-pane", "tab", "", focusOn(paneHistogram)),
		b.on("previous-pane", "shift+tab", "", focusOn(paneTurn)),
	)
	for _, c := range b.queryKeys() {
		switch c.ID {
		case "interrupt", "suspend", "redraw", "commands":
			keys = append(keys, c)
		}
	}
	return keys
}
