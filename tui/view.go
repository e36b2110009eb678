package tui

import (
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"
	"charm.land/lipgloss/v2"
)

// View draws the screen. Each pane is a layer with a name, so that a click can be traced to it.
func (m *model) View() tea.View {
	if m.width == 0 || m.height == 0 {
		return tea.NewView("")
	}
	v := tea.NewView(lipgloss.NewCanvas(m.width, m.height).Compose(m.frame()).Render())
	v.AltScreen = true
	v.WindowTitle = "Lens"
	if m.focus == paneQuery && !m.help && !m.layout().tiny {
		v.Cursor = tea.NewCursor(min(m.bar.Column(), m.width-1), 0)
		v.Cursor.Blink = false
	}
	return v
}

// frame composes the panes.
func (m *model) frame() *lipgloss.Compositor {
	l := m.layout()
	switch {
	case l.tiny:
		return lipgloss.NewCompositor(layer("footer", l.footer, m.tinyView))
	case m.isEmpty():
		l.body = rect{0, 2, m.width, m.height - 3}
		return m.helped(layer("query", l.query, m.queryView), layer("welcome", l.body, m.welcomeView), layer("footer", l.footer, m.footerView))
	}
	return m.helped(
		layer("query", l.query, m.queryView), layer("crumb", l.crumb, m.crumbView), layer("histogram", l.chart, m.chartView),
		layer("matches", l.matches, m.matchesView), layer("rule", l.rule, m.ruleView), layer("turn", l.turn, m.turnView),
		layer("hint", l.hint, m.hintView), layer("footer", l.footer, m.footerView),
	)
}

// helped composes layers, of which some may be nil, and lays the help over them when it is open. All at once: a compositor measures all
// its layers for each that is added.
func (m *model) helped(layers ...*lipgloss.Layer) *lipgloss.Compositor {
	if m.help {
		layers = append(layers, layer("help", rect{0, 1, m.width, m.height - 2}, m.helpView).Z(10))
	}
	return lipgloss.NewCompositor(slices.DeleteFunc(layers, func(l *lipgloss.Layer) bool { return l == nil })...)
}

// layer makes a layer of a pane's lines, in exactly its rectangle; nil for a pane that is not shown.
func layer(id string, at rect, view func(rect) []string) *lipgloss.Layer {
	if at.isEmpty() {
		return nil
	}
	return lipgloss.NewLayer(strings.Join(view(at), "\n")).ID(id).X(at.x).Y(at.y)
}
