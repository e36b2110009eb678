package tui

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"lens/retrieval/timebin"
	"lens/tui/histogram"
)

// form is how the same peek is drawn.
type form int

const (
	bars form = iota
	line
	comparison // of pinned queries
)

// nextForm goes round: bars, a line, the pinned queries beside each other.
func (m *model) nextForm() tea.Cmd {
	m.form = (m.form + 1) % 3
	switch {
	case m.form == comparison && len(m.pinned) == 0:
		m.form = bars
		m.notice = "bars; p pins a query, and pinned queries are compared"
	case m.form == comparison:
		m.notice = "pinned queries"
	case m.form == line:
		m.notice = "a line"
	}
	return nil
}

// pin is a query to compare, and the name it is drawn with.
type pin struct {
	sought
	name string
}

// pinQuery lets the query at hand be compared, or no longer.
func (m *model) pinQuery() tea.Cmd {
	wanted := m.sought()
	at := slices.IndexFunc(m.pinned, func(p pin) bool { return p.sought == wanted })
	switch {
	case !wanted.isSomething():
		m.notice = "there is no query to pin: search for something first"
	case at >= 0:
		m.pinned = slices.Delete(m.pinned, at, at+1)
		m.notice = "no longer pinned"
		if len(m.pinned) == 0 {
			m.form = bars
		}
	case len(m.pinned) == histogram.MaxSeries:
		m.notice = "three queries are pinned, and more lines could not be told apart: p on one of them lets it go"
	default:
		m.pinned = append(slices.Clip(m.pinned), pin{wanted, cmp.Or(wanted.query, m.like.title, "untitled")})
		m.form = comparison
		m.notice = "pinned " + strconv.Itoa(len(m.pinned)) + " of " + strconv.Itoa(histogram.MaxSeries) + "; C goes round bars, line, pinned queries"
	}
	return nil
}

// chasePinned asks for what pinned queries find in the view, as long as they are compared.
func (m *model) chasePinned() tea.Cmd {
	var cmds []tea.Cmd
	for i := range m.lanes.pinned {
		lane := &m.lanes.pinned[i]
		if m.form != comparison || i >= len(m.pinned) {
			lane.forget()
			continue
		}
		key := findKey{sought: m.pinned[i].sought, window: m.wantedFind().window}
		if _, known := m.finds.get(key); known {
			lane.forget()
			continue
		}
		if ctx, gen, ok := lane.ask(m.ctx, key, m.now()); ok {
			cmds = append(cmds, pinnedCmd(i, m.peekCmd(ctx, gen, key, 0)))
		}
	}
	return tea.Batch(cmds...)
}

// takePinned keeps what a pinned query found; one that failed is drawn as nothing, and said.
func (m *model) takePinned(msg pinnedMsg) {
	if !m.lanes.pinned[msg.at].accept(msg.gen) {
		return
	}
	if msg.err != nil {
		m.complain("comparing", "not compared", msg.err)
		return
	}
	m.keep(msg.key, msg.find())
}

// series are the lines to draw over the bins of the chart.
func (m *model) series(c histogram.Chart) []histogram.Series {
	if m.form == line {
		values := make([]float64, len(c.Bins))
		for i, b := range c.Bins {
			values[i] = c.Height(b)
		}
		return []histogram.Series{{Name: m.query(), Values: values}}
	}
	var all []histogram.Series
	edges, window := m.zoom.edges(), m.wantedFind().window
	for _, p := range m.pinned {
		s := histogram.Series{Name: p.name, Values: make([]float64, len(c.Bins))}
		if f, ok := m.finds.get(findKey{sought: p.sought, window: window}); ok {
			for i, n := range timebin.Count(edges, m.timesInView(f.peek)) {
				b := c.Bins[i]
				b.Count = n
				s.Values[i] = c.Height(b)
			}
		}
		all = append(all, s)
	}
	return all
}

// legend names the lines that are compared, and what they are at the cursor.
func (m *model) legend(c histogram.Chart, longest int) string {
	legend := ""
	for i, s := range m.series(c) {
		name := ansi.Truncate(s.Name, longest, m.theme.Glyphs.Ellipsis)
		legend += "  " + histogram.Sample(i, m.theme) + " " + name
		if c.Cursor < len(s.Values) {
			legend += " " + m.theme.Dim.Render(c.Written(s.Values[c.Cursor]))
		}
	}
	return strings.TrimLeft(legend, " ")
}
