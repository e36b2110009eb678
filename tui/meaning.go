package tui

import (
	"github.com/charmbracelet/x/ansi"

	"lens/retrieval"
	"lens/tui/theme"
)

// What is missing for a search by meaning is said once, in a line above the footer. The status says "keyword only" ever after.

// heedless is how many keys are pressed beside that line until it has been read.
const heedless = 6

// meaningHint says what is missing for a search by meaning, "" for nothing, or when it has been read or has no room.
func (m *model) meaningHint() string {
	p := m.found.peek
	if p == nil || p.Mode != retrieval.Keyword || m.heeded >= heedless {
		return ""
	}
	hint := p.Notice
	if m.opts.MeaningHint != nil {
		hint = m.opts.MeaningHint(p.Coverage.Embedded)
	}
	if hint = screenLine(hint); ansi.StringWidth(hint) > m.width {
		return ""
	}
	return hint
}

// vectorWords say which share of the archive a search by meaning knows, "" for all of it: the others are found by their words alone.
func vectorWords(p *retrieval.Peek) string {
	if share := p.Coverage.Embedded; p.Mode != retrieval.Keyword && share > 0 && share < 1 {
		return theme.Percent(min(share, 0.99)) + " embedded"
	}
	return ""
}

// heed counts the keys that are pressed beside the hint: those of a query are not, since whoever types does not read.
func (m *model) heed() {
	if m.focus != paneQuery && m.meaningHint() != "" {
		m.heeded++
	}
}

// aside is the line above the footer: how far jobs are, else what is missing for a search by meaning; "" for none.
func (m *model) aside() string {
	if line := m.jobLine(); line != "" {
		return line
	}
	return m.meaningHint()
}

func (m *model) hintView(r rect) []string {
	return []string{m.theme.Fit(m.theme.Dim.Render(m.aside()), r.w)}
}
