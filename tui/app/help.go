package app

import (
	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"lens/tui/dialog"
	"lens/tui/histogram"
	"lens/tui/theme"
)

// openHelp lists all keys and the signs of the histogram.
func (m *model) openHelp() tea.Cmd {
	m.dialogs.Open(dialog.NewPager(m.ui, "Help", func(width int) []string { return m.keys.help(m.ui.Theme, width) }))
	return nil
}

// help lists all keys in as many columns as fit. A global key that one pane overrides is listed under each other
// pane.
func (k keymap) help(th theme.Theme, width int) []string {
	var blocks [][]string
	for p := nowhere; p < paneCount; p++ {
		title := "Everywhere"
		if p != nowhere {
			title = paneTable[p].title
		}
		lines := []string{th.Bold.Render(title)}
		entries := hints(k.set(p))
		for _, h := range entries {
			lines = append(lines, th.Key.Render(th.Fit(h.keys, 14))+h.does)
		}
		blocks = append(blocks, append(lines, ""))
	}
	return columns(append(blocks, signs(th)), width, th.Fit)
}

// signs explains the signs of the histogram.
func signs(th theme.Theme) []string {
	g := histogram.Glyphs(th)
	bar, area := histogram.Samples(th)
	line := func(sign, means string) string { return th.Fit(sign, 8) + means }
	return []string{
		th.Bold.Render("Chart"),
		line(bar, "matches, or turns"),
		line(area, "all turns, own scale"),
		line(th.Faded.Render(ansi.Strip(bar)), "bin partly out of view (dim)"),
		line(th.Selected.Render(g.CursorMark), "cursor"),
		line(th.Mark.Render(g.MatchMark), "match that is read"),
		line(th.Bar.Render(g.PeakMark), "unusually active"),
		line(th.Selected.Render(g.RailFrom+g.Rail+g.Rail+g.RailTo), "brush (selected bins)"),
		"",
	}
}

// columnWidth is the width of a help column.
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
