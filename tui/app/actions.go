package app

import (
	tea "charm.land/bubbletea/v2"

	"lens/tui/ui"
)

// Commands that work in any pane. They only change the state; settle.go derives the requests from it.

func (m *model) focusOn(p pane) func() tea.Cmd {
	return ui.Do(func() { m.focus = p })
}

func (m *model) stepPane(by int) func() tea.Cmd {
	return ui.Do(func() { m.step(by) })
}

func (m *model) maximize() tea.Cmd {
	m.maximized = !m.maximized
	return nil
}

func (m *model) resizeBy(wider, higher int) func() tea.Cmd {
	return func() tea.Cmd {
		if !m.screen.resize(wider, higher) {
			m.footer.Say("No more room")
		}
		return nil
	}
}

// leaveTurn leaves what is found in the turn, else the turn.
func (m *model) leaveTurn() tea.Cmd {
	if m.reader.IsFinding() {
		m.reader.LeaveFind()
		return nil
	}
	m.focus = paneResults
	return nil
}

func quit() tea.Cmd { return tea.Quit }

// redraw repaints the screen and repeats requests that failed or were canceled.
func (m *model) redraw() tea.Cmd {
	each(m.parts(), func(p interface{ Retry() }) { p.Retry() })
	return tea.ClearScreen
}

// suspend returns the terminal to the shell. An encrypted archive is locked first.
func (m *model) suspend() tea.Cmd {
	if m.hasVault() {
		return tea.Sequence(m.lock(), tea.Suspend)
	}
	return tea.Suspend
}

// interrupt cancels everything in progress. When nothing is, it quits if it is pressed twice.
func (m *model) interrupt() tea.Cmd {
	again := m.ui.Key("interrupt") + " again quits"
	switch {
	case m.stop():
		m.footer.Say("Canceled (" + again + ")")
	case m.warned:
		return tea.Quit
	default:
		m.footer.Say(again)
	}
	m.warned = true
	return nil
}

// completeOr takes the next candidate for what is typed, for step -1 the previous one. Without one it does otherwise.
func (m *model) completeOr(step int, otherwise func() tea.Cmd) func() tea.Cmd {
	return func() tea.Cmd {
		if m.bar.Complete(step) {
			return nil
		}
		return otherwise()
	}
}

// openQuery focuses the query, with the old text selected. The filters of one that is refused belong to that: they may
// be why. What the bar says turns are found by is as of now.
func (m *model) openQuery() tea.Cmd {
	m.focus = paneQuery
	m.archive.LookForModel()
	if m.finder.Failure().Refused && m.bar.Search().Narrows() && !m.bar.IsEdited() {
		m.bar.Retype()
	}
	m.bar.Select()
	return nil
}

// laterOrMatches shows the query after the one that was recalled, else goes to the matches.
func (m *model) laterOrMatches() tea.Cmd {
	if !m.bar.Later() {
		m.focus = paneResults
	}
	return nil
}

// insert gives text that is typed or pasted to the query, or to the question when the chat has the focus.
func (m *model) insert(text tea.Msg) tea.Cmd {
	if m.isChatting() {
		return m.chat.Update(text)
	}
	m.focus = paneQuery
	return m.bar.Update(text)
}

// refresh drops everything read from the archive, so that it is requested again.
func (m *model) refresh() {
	each(m.parts(), func(p interface{ Reload() }) { p.Reload() })
}

// stop cancels everything in progress and reports whether there was anything.
func (m *model) stop() (stopped bool) {
	each(append(m.parts(), m.chat), func(p interface{ Stop() bool }) { stopped = p.Stop() || stopped })
	return stopped
}

// each does something with the parts that are a T.
func each[T any](parts []any, do func(T)) {
	for _, p := range parts {
		if t, ok := p.(T); ok {
			do(t)
		}
	}
}
