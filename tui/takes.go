package tui

import (
	tea "charm.land/bubbletea/v2"

	"lens/tui/ui"
)

// Message dispatch. Each handler is in the file of its subject.

func (msg openedMsg) take(m *model) tea.Cmd {
	m.takeOpened(msg)
	if m.engine == nil {
		return m.asideCmd(m.pace.update)
	}
	return tea.Batch(m.asideCmd(m.pace.update), m.jobs.KeepUp(m.pace.update))
}

func (msg surveyedMsg) take(m *model) tea.Cmd { m.takeSurveyed(msg); return nil }
func (msg foundMsg) take(m *model) tea.Cmd    { m.takeFound(msg); return nil }
func (msg pinnedMsg) take(m *model) tea.Cmd   { m.takePinned(msg); return nil }
func (msg keptMsg) take(m *model) tea.Cmd     { m.takeKept(msg); return nil }
func (tickMsg) take(m *model) tea.Cmd         { return m.tick() }

func (msg beyondMsg) take(m *model) tea.Cmd {
	if m.lanes.beyond.Accept(msg.gen) && msg.err == nil {
		m.keep(msg.key, foundMsg(msg).find())
	}
	return nil
}

func (msg suggestedMsg) take(m *model) tea.Cmd {
	if m.lanes.suggest.Accept(msg.gen) {
		m.meant.Put(msg.words, ui.Line(msg.text))
	}
	return nil
}

func (msg restMsg) take(m *model) tea.Cmd { m.takeRest(msg); return nil }
