package tui

import (
	"charm.land/bubbles/v2/key"
	"github.com/charmbracelet/x/ansi"
)

// The footer and the help: both are made from the keymap, so that neither can say what is not so.

// footerView is what there is to say, else the keys of the pane, as many as fit whole.
func (m *model) footerView(r rect) []string {
	if m.notice != "" {
		return []string{m.theme.Fit(m.theme.Warn.Render(m.notice), r.w)}
	}
	var hints []string
	for _, c := range m.keys.of(m.focus) {
		if c.hint && !m.isEmpty() {
			hints = append(hints, m.hint(c.Binding))
		}
	}
	last := ""
	for _, c := range m.keys.global {
		switch {
		case c.Help().Key == "q" && m.isEmpty():
			hints = append(hints, m.hint(c.Binding))
		case !c.hint || m.focus == paneQuery || m.isEmpty() && c.Help().Key != "?":
		case c.Help().Key == "?":
			last = m.hint(c.Binding)
		default:
			hints = append(hints, m.hint(c.Binding))
		}
	}
	line, room := "", r.w-ansi.StringWidth(last)-2
	for _, h := range hints {
		if next := line + h + "  "; ansi.StringWidth(next) <= room {
			line = next
		}
	}
	return []string{m.theme.Fit(line+last, r.w)}
}

func (m *model) hint(b key.Binding) string {
	return m.theme.Accent.Render(b.Help().Key) + " " + m.theme.Dim.Render(b.Help().Desc)
}

// helpView explains all keys in as many columns as fit.
func (m *model) helpView(r rect) []string {
	groups := []struct {
		title string
		of    []command
	}{
		{"Everywhere", m.keys.global}, {"Histogram", m.keys.histogram}, {"Matches", m.keys.matches}, {"Turn", m.keys.turn}, {"Query", m.keys.query},
	}
	var blocks [][]string
	for _, g := range groups {
		lines := []string{m.theme.Bold.Render(g.title)}
		for _, c := range g.of {
			if c.Help().Key != "" {
				lines = append(lines, m.theme.Accent.Render(m.theme.Fit(c.Help().Key, 14))+c.Help().Desc)
			}
		}
		blocks = append(blocks, append(lines, ""))
	}
	blocks = append(blocks, m.legend())
	lines, remark := columns(blocks, r.w, m.theme.Fit), "any key closes it"
	if room := r.h - 2; len(lines) > room {
		m.helpTop = min(m.helpTop, len(lines)-room)
		lines, remark = lines[m.helpTop:], "j k scrolls, any other key closes it"
	}
	head := []string{m.theme.Spread(m.theme.Focus.Render(" Help "), m.theme.Dim.Render(remark), r.w), ""}
	return m.theme.Block(append(head, lines...), r.w, r.h)
}

// legend explains what the histogram draws.
func (m *model) legend() []string {
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

// welcomeView is what an empty archive shows: how it gets filled.
func (m *model) welcomeView(r rect) []string {
	step := func(command, what string) string {
		return "    " + m.theme.Accent.Render(m.theme.Fit(command, 28)) + m.theme.Dim.Render(what)
	}
	lines := []string{"", "  " + m.theme.Bold.Render("Nothing is here yet."), ""}
	if r.w < 70 {
		step = func(command, what string) string { return "    " + m.theme.Accent.Render(command) }
	}
	lines = append(lines,
		"  Export your data in ChatGPT: Settings, Data controls, Export.", "",
		step("lens import <export.zip>", "reads the export; nothing leaves this machine"),
		step("lens demo", "shows Lens on an invented life of chats"), "")
	if m.opts.Archive != "" {
		lines = append(lines, m.theme.Dim.Render("  archive: "+screenLine(m.opts.Archive)))
	}
	return m.theme.Block(lines, r.w, r.h)
}
