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
	if !m.noMouse {
		v.MouseMode = tea.MouseModeCellMotion
	}
	if x, y := m.cursor(); x >= 0 {
		v.Cursor = tea.NewCursor(min(x, m.width-1), y)
		v.Cursor.Blink = false
	}
	return v
}

// cursor says where the terminal's cursor is: x < 0 for nowhere.
func (m *model) cursor() (x, y int) {
	switch over, typed := m.over.(typedInto); {
	case m.layout().tiny:
		return -1, 0
	case typed:
		r := m.over.place(m.width, m.height)
		x, y = over.cursor()
		return r.x + x, r.y + y
	case m.over == nil && m.focus == paneQuery:
		return m.bar.Column(), 0
	}
	return -1, 0
}

// frame composes the panes.
func (m *model) frame() *lipgloss.Compositor {
	l := m.layout()
	switch {
	case l.tiny:
		return lipgloss.NewCompositor(layer("footer", l.footer, m.tinyView))
	case m.isEmpty():
		l.body = rect{0, 2, m.width, m.height - 3}
		return m.covered(layer("query", l.query, m.queryView), layer("welcome", l.body, m.welcomeView), layer("footer", l.footer, m.footerView))
	}
	return m.covered(
		layer("query", l.query, m.queryView), layer("crumb", l.crumb, m.crumbView), layer("histogram", l.chart, m.chartView),
		layer("matches", l.matches, m.matchesView), layer("rule", l.rule, m.ruleView), layer("turn", l.turn, m.turnView),
		layer("hint", l.hint, m.hintView), layer("footer", l.footer, m.footerView),
	)
}

// covered composes layers, of which some may be nil, and lays the overlay over them when there is one. All at once: a compositor measures
// all its layers for each that is added.
func (m *model) covered(layers ...*lipgloss.Layer) *lipgloss.Compositor {
	if m.over != nil {
		layers = append(layers, layer("overlay", m.over.place(m.width, m.height), m.coverView).Z(10))
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
