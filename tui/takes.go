package tui

import (
	tea "charm.land/bubbletea/v2"
)

// Message dispatch. Each handler is in the file of its subject.

func (tickMsg) take(m *model) tea.Cmd { return m.tick() }
