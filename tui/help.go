package tui

import (
	tea "charm.land/bubbletea/v2"
)

// help explains all keys, and what the histogram draws.
type help struct{ top int } // the first line that is shown

func (m *model) openHelp() tea.Cmd { return m.openOverlay(&help{}) }

func (h *help) place(width, height int) rect { return beneath(width, height) }

func (h *help) paste(m *model, text string) {
	m.closeOverlay()
	m.insert(text)
}

func (h *help) scroll(n int) { h.top = max(0, h.top+n*wheelRows) }

// press scrolls, or closes.
func (h *help) press(m *model, pressed tea.KeyPressMsg) tea.Cmd {
	switch pressed.String() {
	case "j", "down":
		h.top++
	case "k", "up":
		h.top = max(0, h.top-1)
	case "space", "pgdown":
		h.top += m.height / 2
	case "b", "pgup":
		h.top = max(0, h.top-m.height/2)
	default:
		m.closeOverlay()
	}
	return nil
}

// view explains all keys in as many columns as fit.
func (h *help) view(m *model, r rect) []string {
	groups := []struct {
		title string
		of    []command
	}{
		{"Everywhere", m.keys.global},
		{"Histogram", m.keys.histogram},
		{"Matches", m.keys.matches},
		{"Turn", m.keys.turn},
		{"Query", m.keys.query},
		{"Chat", m.keys.chat},
		{"Question", m.keys.ask},
	}
	var blocks [][]string
	for _, g := range groups {
		lines := []string{m.theme.Bold.Render(g.title)}
		for _, told := range hints(g.of) {
			lines = append(lines, m.theme.Accent.Render(m.theme.Fit(told.keys, 14))+told.does)
		}
		blocks = append(blocks, append(lines, ""))
	}
	blocks = append(blocks, m.signs())
	lines, remark := columns(blocks, r.w, m.theme.Fit), "any key closes it"
	if room := r.h - 2; len(lines) > room {
		h.top = min(h.top, len(lines)-room)
		lines, remark = lines[h.top:], "j k scrolls, any other key closes it"
	}
	head := []string{m.theme.Spread(m.theme.Focus.Render(" Help "), m.theme.Dim.Render(remark), r.w), ""}
	return m.theme.Block(append(head, lines...), r.w, r.h)
}

// signs explains what the histogram draws.
func (m *model) signs() []string {
	g := m.theme.Glyphs
	full := g.Block
	if g.Eighths != nil {
		full = g.Eighths[len(g.Eighths)-1]
	}
	line := func(sign, means string) string { return m.theme.Fit(sign, 8) + means }
	return []string{
		m.theme.Bold.Render("The chart"),
		line(m.theme.Bar.Render(full+full), "matches; turns, without a query"),
		line(m.theme.Baseline.Render(g.BaselineMark+g.BaselineMark), "all turns, on their own scale"),
		line(m.theme.Faded.Render(full+full), "dim: a bin partly out of view"),
		line(m.theme.Selected.Render(g.CursorMark), "the cursor"),
		line(m.theme.Bar.Render(g.PeakMark), "more than a busy time explains"),
		line(m.theme.Selected.Render(g.RailFrom+g.Rail+g.Rail+g.RailTo), "what is brushed"),
		"",
	}
}

// columnWidth is what a line of help takes.
const columnWidth = 40

// columns lays blocks out in as many columns as width allows, of about equal heights.
func columns(blocks [][]string, width int, fit func(string, int) string) []string {
	n := max(1, width/columnWidth)
	total := 0
	for _, b := range blocks {
		total += len(b)
	}
	var out []string
	at, height := 0, 0
	for _, b := range blocks {
		if height > 0 && at < n-1 && height+len(b)/2 > (total+n-1)/n {
			at, height = at+1, 0
		}
		for _, line := range b {
			if height == len(out) {
				out = append(out, "")
			}
			out[height] = fit(out[height], at*(width/n)) + line
			height++
		}
	}
	return out
}
