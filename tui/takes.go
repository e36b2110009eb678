package tui

import (
	tea "charm.land/bubbletea/v2"
)

// Message dispatch. Each handler is in the file of its subject.

func (msg openedMsg) take(m *model) tea.Cmd {
	m.takeOpened(msg)
	if m.engine == nil {
		return m.limitCmd(m.pace.update)
	}
	return tea.Batch(m.limitCmd(m.pace.update), m.jobs.KeepUp(m.pace.update))
}

func (msg surveyedMsg) take(m *model) tea.Cmd { m.takeSurveyed(msg); return nil }
func (msg keptMsg) take(m *model) tea.Cmd     { m.takeKept(msg); return nil }
func (tickMsg) take(m *model) tea.Cmd         { return m.tick() }
