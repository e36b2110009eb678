package reader

import (
	"slices"

	"lens/tui/theme"
	"lens/tui/turn"
)

// page is a rendered turn and how far it is scrolled. The zero page is empty. It scrolls by itself, since a viewport of
// Bubbles measures all lines in every frame, and counts hits in bytes of plain text.
type page struct {
	text   turn.Text
	offset int
	height int
}

// show replaces the text and scrolls to the top or, if it is the same turn in another form, to about the same position.
func (p *page) show(t turn.Text, same bool) {
	if same && len(p.text.Lines) > 0 {
		p.offset = p.offset * len(t.Lines) / len(p.text.Lines)
	} else {
		p.offset = 0
	}
	p.text = t
	p.scroll(0)
}

// setHeight sets how many lines are visible.
func (p *page) setHeight(height int) {
	p.height = height
	p.scroll(0)
}

// scroll moves by n lines, as far as there are any.
func (p *page) scroll(n int) { p.offset = max(0, min(p.offset+n, p.last())) }

// scrollPages moves by pages, with two lines of overlap.
func (p *page) scrollPages(n int) { p.scroll(n * max(1, p.height-2)) }

func (p *page) home() { p.offset = 0 }

func (p *page) end() { p.offset = p.last() }

// next scrolls to the next of some lines, for -1 to the previous one; false if there is none.
func (p *page) next(lines []int, direction int) bool {
	hits := slices.Clone(lines)
	beyond := func(hit int) bool { return hit > p.offset }
	if direction < 0 {
		slices.Reverse(hits)
		beyond = func(hit int) bool { return hit < p.offset }
	}
	at := slices.IndexFunc(hits, beyond)
	if at < 0 || hits[at] > p.last() && p.offset == p.last() {
		return false
	}
	p.offset = min(hits[at], p.last())
	return true
}

// codeInView returns the index of the first block of code that begins in view or below, else of the last one.
func (p *page) codeInView() int {
	at := slices.IndexFunc(p.text.Code, func(line int) bool { return line >= p.offset })
	if at < 0 {
		return max(0, len(p.text.Code)-1)
	}
	return at
}

func (p *page) last() int { return max(0, len(p.text.Lines)-max(1, p.height)) }

// percent returns how much of the text lies above the lower end of the pane; 100 when all of it fits.
func (p *page) percent() int {
	n := len(p.text.Lines)
	if n == 0 {
		return 100
	}
	return min(100, (p.offset+p.height)*100/n)
}

func (p *page) view(width int, th theme.Theme) []string {
	return th.Block(p.text.Lines[min(p.offset, len(p.text.Lines)):], width, p.height)
}
