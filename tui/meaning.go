package tui

import (
	"cmp"

	"github.com/charmbracelet/x/ansi"

	"lens/retrieval"
	"lens/retrieval/query"
	"lens/tui/theme"
	"lens/tui/ui"
)

// A hint above the footer says what search by meaning lacks. It disappears once read; the status keeps saying
// "keyword only".

// heedless is the number of key presses after which the hint counts as read.
const heedless = 6

// searchNotice says what the search could not do as asked, except searching by meaning; "" for nothing.
func (m *model) searchNotice() string {
	return ansi.Truncate(m.finder.Notice(), m.width, m.ui.Theme.Glyphs.Ellipsis)
}

// meaningHint says what search by meaning lacks; "" for nothing, or if the hint was read or does not fit.
func (m *model) meaningHint() string {
	p := m.found.Peek
	if p == nil || p.Mode != query.Keyword || m.heeded >= heedless {
		return ""
	}
	hint := m.finder.FellBack()
	if m.opts.MeaningHint != nil {
		hint = m.opts.MeaningHint(p.Coverage.Embedded)
	}
	if hint = ui.Line(hint); ansi.StringWidth(hint) > m.width {
		return ""
	}
	return hint
}

// vectorWords returns the share of the archive that is embedded, "" for all of it. Other turns are found by words only.
func vectorWords(p *retrieval.Peek) string {
	if share := p.Coverage.Embedded; p.Mode != query.Keyword && share > 0 && share < 1 {
		return theme.Percent(min(share, 0.99)) + " embedded"
	}
	return ""
}

// heed counts key presses while the hint is visible. Typing a query does not count.
func (m *model) heed() {
	if m.focus != paneQuery && m.meaningHint() != "" {
		m.heeded++
	}
}

// aside returns the line above the footer: the progress of jobs, else what the search says about itself, else the hint
// about meaning; "" for none.
func (m *model) aside() string {
	return cmp.Or(m.jobLine(), m.searchNotice(), m.meaningHint())
}

func (m *model) hintView(r rect) []string {
	return []string{m.ui.Theme.Fit(m.ui.Theme.Dim.Render(m.hint), r.w)}
}
