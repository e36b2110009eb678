package tui

import (
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"lens/tui/menu"
)

// Security is how strictly what is asked and answered is watched. The zero value is none that can be chosen.
type Security struct {
	Level string                   // at hand
	Set   func(level string) error // takes another level from now on
}

// Levels are what Security may be, from the most lenient.
var Levels = []string{"standard", "strict", "paranoid"}

var levelWords = map[string]string{
	"standard": "everyday use",
	"strict":   "more is refused, less is kept",
	"paranoid": "what is not sure is refused",
}

// leveledMsg says how setting a level went.
type leveledMsg struct {
	level string
	err   error
}

func (m *model) hasSecurity() bool { return m.opts.Security.Set != nil }

// openSecurity lets a person choose a level.
func (m *model) openSecurity() tea.Cmd {
	var items []menu.Item
	for _, level := range Levels {
		label := level
		if level == m.opts.Security.Level {
			label += " " + m.theme.Glyphs.Done
		}
		items = append(items, menu.Item{ID: level, Label: label, Right: levelWords[level]})
	}
	at := max(0, slices.Index(Levels, m.opts.Security.Level))
	list := menu.New("Security", "no level is called that", items)
	list.Move(at)
	return m.openChoice(list, func(m *model, level string) tea.Cmd {
		set := m.opts.Security.Set
		return m.crew.job(func() tea.Msg { return leveledMsg{level, set(level)} })
	})
}

func (msg leveledMsg) take(m *model) tea.Cmd {
	if msg.err != nil {
		m.complain("setting security to "+msg.level, "security stays "+m.opts.Security.Level, msg.err)
		return nil
	}
	m.opts.Security.Level = msg.level
	m.notice = "security: " + strings.ToLower(msg.level)
	return nil
}
