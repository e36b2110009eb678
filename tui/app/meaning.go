package app

import (
	"github.com/charmbracelet/x/ansi"

	"lens/retrieval"
	"lens/retrieval/query"
	"lens/tui/theme"
	"lens/tui/ui"
)

// A hint above the footer says what search by meaning lacks. It disappears once read; the status keeps saying
// "words only".

// hintRead is the number of key presses after which the hint counts as read.
const hintRead = 6

// searchNotice says what the search could not do as asked, except searching by meaning; "" for nothing.
func (w *workspace) searchNotice(width int) string {
	return ansi.Truncate(w.finder.Notice(), width, w.ui.Theme.Glyphs.Ellipsis)
}

// meaningHint says what search by meaning lacks; "" for nothing, or if the hint was read or does not fit.
func (w *workspace) meaningHint(width int) string {
	p := w.found.Peek
	if p == nil || p.Mode != query.Keyword || w.hintKeys >= hintRead {
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

// countHintKey counts key presses while the hint is visible. Typing a query does not count.
func (w *workspace) countHintKey(focus pane, width int) {
	if focus != paneQuery && w.meaningHint(width) != "" {
		w.hintKeys++
	}
}
