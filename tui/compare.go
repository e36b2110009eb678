package tui

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"lens/internal/chart"
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
	case m.form == comparison && len(m.pinned) == 0:
		m.form = bars
		m.footer.Say("Bars (p pins a query to compare)")
	case m.form == comparison:
		m.footer.Say("Pinned queries")
	case m.form == line:
		m.footer.Say("Line chart")
	}
	return nil
}

// pin is a query to compare and its label.
type pin struct {
	search.Sought
	name string
}

// pinQuery pins or unpins the current query.
func (m *model) pinQuery() tea.Cmd {
	wanted := m.sought()
	at := slices.IndexFunc(m.pinned, func(p pin) bool { return p.Sought == wanted })
	switch {
	case !wanted.IsSomething():
		m.footer.Say("No query to pin. Search first")
	case at >= 0:
		m.pinned = slices.Delete(m.pinned, at, at+1)
		m.footer.Say("Unpinned")
		if len(m.pinned) == 0 {
			m.form = bars
		}
	case len(m.pinned) == chart.MaxLines:
		m.footer.Say(fmt.Sprintf("%d of %d pinned (p unpins)", len(m.pinned), chart.MaxLines))
	default:
		m.pinned = append(slices.Clip(m.pinned), pin{wanted, cmp.Or(m.like.Title, wanted.Text, "untitled")})
		m.form = comparison
		m.footer.Say(fmt.Sprintf("Pinned %d of %d (C changes the chart)", len(m.pinned), chart.MaxLines))
	}
	return nil
}

// chasePinned searches for the pinned queries while they are shown.
func (m *model) chasePinned() tea.Cmd {
	var cmds []tea.Cmd
	for i := range m.lanes.pinned {
		lane := &m.lanes.pinned[i]
		if m.form != comparison || i >= len(m.pinned) {
			lane.Forget()
			continue
		}
		key := search.Key{Sought: m.pinned[i].Sought, Window: m.wantedFind().Window}
		if known, ok := m.finds.Get(key); ok && (!known.IsPartial() || key == m.wantedFind()) {
			lane.Forget()
			continue
		}
		if ctx, gen, ok := lane.Ask(m.ui.Ctx, key, m.ui.Now()); ok {
			cmds = append(cmds, pinnedCmd(i, m.peekCmd(ctx, gen, key, false, 0)))
		}
	}
	return tea.Batch(cmds...)
}

// takePinned stores the result of a pinned query. A failed one is drawn empty and reported.
func (m *model) takePinned(msg pinnedMsg) {
	if !m.lanes.pinned[msg.at].Accept(msg.gen) {
		return
	}
	if msg.err != nil {
		m.complain("comparing", "Couldn't compare", msg.err)
		return
	}
	m.keep(msg.key, msg.find())
}

// series returns the lines to draw over the bins.
func (m *model) series(c histogram.Chart) []histogram.Series {
	if m.form == line {
		values := make([]float64, len(c.Bins))
		for i, b := range c.Bins {
			values[i] = c.Height(b)
		}
		return []histogram.Series{{Name: m.query(), Values: values}}
	}
	var all []histogram.Series
	edges, window := m.timeline.Zoom().Edges(), m.wantedFind().Window
	for _, p := range m.pinned {
		s := histogram.Series{Name: p.name, Values: make([]float64, len(c.Bins))}
		if f, ok := m.finds.Get(search.Key{Sought: p.Sought, Window: window}); ok {
			for i, n := range timebin.Count(edges, m.timesInView(f.Peek)) {
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
