package tui

import (
	"cmp"
	"strings"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"lens/retrieval/timebin"
	"lens/tui/histogram"
	"lens/tui/search"
)

// form is how results are drawn.
type form int

const (
	bars form = iota
	line
	comparison // of pinned queries
)

// nextForm cycles through bars, line, and pinned queries.
func (m *model) nextForm() tea.Cmd {
	m.form = (m.form + 1) % 3
	switch {
	case m.form == comparison && len(m.finder.Pins().All()) == 0:
		m.form = bars
		m.footer.Say("Bars (p pins a query to compare)")
	case m.form == comparison:
		m.footer.Say("Pinned queries")
	case m.form == line:
		m.footer.Say("Line chart")
	}
	return nil
}

// pinQuery pins or unpins the current query.
func (m *model) pinQuery() tea.Cmd {
	wanted, pins := m.bar.Sought(), m.finder.Pins()
	notice, pinned, done := pins.Toggle(search.Pin{Sought: wanted, Name: cmp.Or(m.bar.Exemplar().Title, wanted.Text, "untitled")})
	m.footer.Say(notice)
	switch {
	case pinned:
		m.form = comparison
	case done && len(pins.All()) == 0:
		m.form = bars
	}
	return nil
}

// series returns the lines to draw over the bins.
func (m *model) series(c histogram.Chart) []histogram.Series {
	if m.form == line {
		values := make([]float64, len(c.Bins))
		for i, b := range c.Bins {
			values[i] = c.Height(b)
		}
		return []histogram.Series{{Name: strings.TrimSpace(m.bar.Text()), Values: values}}
	}
	var all []histogram.Series
	edges, pins := m.timeline.Zoom().Edges(), m.finder.Pins()
	for at, found := range pins.Results() {
		s := histogram.Series{Name: pins.All()[at].Name, Values: make([]float64, len(c.Bins))}
		if found.Peek != nil {
			for i, n := range timebin.Count(edges, found.TimesIn(m.timeline.Zoom().Span)) {
				b := c.Bins[i]
				b.Count = n
				s.Values[i] = c.Height(b)
			}
		}
		all = append(all, s)
	}
	return all
}

// legend names the compared queries with their values at the cursor.
func (m *model) legend(c histogram.Chart, longest int) string {
	legend := ""
	for i, s := range m.series(c) {
		name := ansi.Truncate(s.Name, longest, m.ui.Theme.Glyphs.Ellipsis)
		legend += "  " + histogram.Sample(i, m.ui.Theme) + " " + name
		if c.Cursor < len(s.Values) {
			legend += " " + m.ui.Theme.Dim.Render(c.Written(s.Values[c.Cursor]))
		}
	}
	return strings.TrimLeft(legend, " ")
}
