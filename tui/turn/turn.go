// Package turn shows a turn: the question, and the answer as rendered or raw Markdown. Render is pure and takes tens
// of milliseconds for a long answer, so call it outside the event loop; a Page only scrolls.
package turn

import (
	"slices"

	"lens/tui/theme"
)

// Page is a rendered turn and how far it is scrolled. The zero Page is empty.
type Page struct {
	text   Text
	offset int
	height int // of the last View
}

// Text is a rendered turn: lines of at most the width that it was rendered for.
type Text struct {
	Lines []string
	Hits  []int // lines that hold words of the query, ascending
	Code  []int // lines on which blocks of code begin, ascending
	InRaw bool  // there are no hits, but the raw text has some
}

// Show replaces the text and scrolls to the top or, if it is the same turn in another form, to about the same position.
func (p *Page) Show(t Text, same bool) {
	if same && len(p.text.Lines) > 0 {
		p.offset = p.offset * len(t.Lines) / len(p.text.Lines)
	} else {
		p.offset = 0
	}
	p.text = t
	p.Scroll(0)
}

// IsEmpty reports whether there is no text.
func (p *Page) IsEmpty() bool { return len(p.text.Lines) == 0 }

// Hits returns how many lines have hits, and whether only the raw text has any.
func (p *Page) Hits() (lines int, inRaw bool) { return len(p.text.Hits), p.text.InRaw }

// Scroll moves by n lines, as far as there are any.
func (p *Page) Scroll(n int) { p.offset = max(0, min(p.offset+n, p.last())) }

// ScrollPage moves by pages of the last View, with two lines of overlap.
func (p *Page) ScrollPage(n int) { p.Scroll(n * max(1, p.height-2)) }

// Home goes to the first line.
func (p *Page) Home() { p.offset = 0 }

// End goes to the last line.
func (p *Page) End() { p.offset = p.last() }

// NextHit scrolls to the next line with a hit, for -1 to the previous one; false if there is none.
func (p *Page) NextHit(direction int) bool { return p.next(p.text.Hits, direction) }

// NextCode is NextHit for blocks of code.
func (p *Page) NextCode(direction int) bool { return p.next(p.text.Code, direction) }

// CodeInView returns the index of the first block of code that begins in view or below, else of the last one.
func (p *Page) CodeInView() int {
	at := slices.IndexFunc(p.text.Code, func(line int) bool { return line >= p.offset })
	if at < 0 {
		return max(0, len(p.text.Code)-1)
	}
	return at
}

func (p *Page) next(lines []int, direction int) bool {
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

func (p *Page) last() int { return max(0, len(p.text.Lines)-max(1, p.height)) }

// Percent returns how much of the text lies above the lower end of the pane; 100 when all of it fits.
func (p *Page) Percent() int {
	n := len(p.text.Lines)
	if n == 0 {
		return 100
	}
	return min(100, (p.offset+p.height)*100/n)
}

// View draws height lines of width cells.
func (p *Page) View(width, height int, th theme.Theme) []string {
	p.height = height
	p.Scroll(0)
	return th.Block(p.text.Lines[min(p.offset, len(p.text.Lines)):], width, height)
}
