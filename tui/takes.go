package tui

import (
	tea "charm.land/bubbletea/v2"
)

// Message dispatch. Each handler is in the file of its subject.

func (msg keptMsg) take(m *model) tea.Cmd { m.takeKept(msg); return nil }
func (tickMsg) take(m *model) tea.Cmd     { return m.tick() }
