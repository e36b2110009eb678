package app

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
func (w *workspace) searchNotice(width int) string {
	return ansi.Truncate(w.finder.Notice(), width, w.ui.Theme.Glyphs.Ellipsis)
}

// meaningHint says what search by meaning lacks; "" for nothing, or if the hint was read or does not fit.
func (w *workspace) meaningHint(width int) string {
	p := w.found.Peek
	if p == nil || p.Mode != query.Keyword || w.heeded >= heedless {
		return ""
	}
	hint := w.finder.FellBack()
	if w.opts.MeaningHint != nil {
		hint = w.opts.MeaningHint(p.Coverage.Embedded)
	}
	if hint = ui.Line(hint); ansi.StringWidth(hint) > width {
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
func (w *workspace) heed(focus pane, width int) {
	if focus != paneQuery && w.meaningHint(width) != "" {
		w.heeded++
	}
}

// remark returns the line above the footer: the progress of jobs, else what the search says about itself, else the hint
// about meaning; "" for none.
func (m *model) remark() string {
	return cmp.Or(m.progress(), m.searchNotice(m.width), m.meaningHint(m.width))
}

// progress describes the progress of all jobs, "" for none.
func (m *model) progress() string {
	words := m.jobs.Progress()
	if len(words) > 0 && m.isSearching() {
		words = append(words, "counts still growing")
	}
	return m.ui.Theme.Remarks(words...)
}
