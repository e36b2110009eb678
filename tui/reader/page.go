package reader

import (
	"slices"

	"lens/tui/turn"
	"lens/tui/ui"
)

// page is a rendered turn and how far it is scrolled. The zero page is empty.
type page struct {
	ui.Scroller
	text turn.Text
}

// show replaces the text and scrolls to the top or, if it is the same turn in another form, to about the same position.
func (p *page) show(t turn.Text, same bool) {
	at := 0
	if same && p.Len() > 0 {
		at = p.Offset() * len(t.Lines) / p.Len()
	}
	p.text = t
	p.SetLines(t.Lines)
	p.ScrollTo(at)
}

// next scrolls to the next of some lines, for -1 to the previous one; false if there is none.
func (p *page) next(lines []int, direction int) bool {
	hits := slices.Clone(lines)
	beyond := func(hit int) bool { return hit > p.Offset() }
	if direction < 0 {
		slices.Reverse(hits)
		beyond = func(hit int) bool { return hit < p.Offset() }
	}
	at := slices.IndexFunc(hits, beyond)
	if at < 0 || hits[at] > p.Last() && p.Offset() == p.Last() {
		return false
	}
	p.ScrollTo(hits[at])
	return true
}

// codeInView returns the index of the first block of code that begins in view or below, else of the last one.
func (p *page) codeInView() int {
	at := slices.IndexFunc(p.text.Code, func(line int) bool { return line >= p.Offset() })
	if at < 0 {
		return max(0, len(p.text.Code)-1)
	}
	return at
}
