package turn

import (
	"strings"
	"unicode/utf8"

	"github.com/charmbracelet/x/ansi"

	"lens/tui/theme"
)

// filler fills lines with words.
type filler struct {
	width int
	style func(look) theme.Style

	lines []string
	line  []piece
	used  int // cells of line
	space look
	gap   bool // there is a space before the next word
}

// wrap breaks pieces into lines of at most width cells, between words where it can.
func (w *drawer) wrap(pieces []piece, width int) []string {
	f := filler{width: max(1, width), style: w.style}
	var word []piece
	flush := func() {
		if len(word) > 0 {
			f.add(word)
			word = nil
		}
	}
	for _, p := range pieces {
		for rest := p.text; rest != ""; {
			end := strings.IndexAny(rest, " \n")
			if end < 0 {
				word = append(word, piece{rest, p.look})
				break
			}
			if end > 0 {
				word = append(word, piece{rest[:end], p.look})
			}
			flush()
			if rest[end] == '\n' {
				f.end()
			} else {
				f.gap, f.space = true, p.look
			}
			rest = rest[end+1:]
		}
	}
	flush()
	if len(f.line) > 0 || len(f.lines) == 0 && len(pieces) > 0 {
		f.end()
	}
	return f.lines
}

// add puts a word on the line, or on the next. One that is too long for any line, and one of wide characters, which
// need no spaces, are broken.
func (f *filler) add(word []piece) {
	text := plainOf(word)
	cells := theme.Width(text)
	gap := 0
	if f.gap && f.used > 0 {
		gap = 1
	}
	isBroken := cells > f.width || cells > 12 && cells*2 > len(text) && len(text) > cells
	switch {
	case f.used+gap+cells <= f.width:
	case isBroken && f.width-f.used-gap > 4:
	default:
		f.end()
		gap = 0
	}
	if gap > 0 {
		f.put(piece{" ", f.space})
	}
	f.gap = false
	for len(word) > 0 && f.used+cells > f.width {
		now, rest := cutHard(word, f.width-f.used)
		if len(now) == 0 && f.used == 0 { // not even one character fits: it is left out
			now, rest = divided(word, len(firstCluster(beginning(word, 0))))
			word, cells = rest, cells-theme.Width(plainOf(now))
			continue
		}
		word, cells = rest, cells-theme.Width(plainOf(now))
		f.put(now...)
		f.end()
	}
	f.put(word...)
}

// cutHard divides a word where it is too long.
func cutHard(word []piece, room int) (now, rest []piece) {
	room = max(0, room)
	return divided(word, fitting(beginning(word, room), room))
}

// mostFitting bounds how many bytes of a text may fit into some cells.
func mostFitting(room int) int { return 32 + 16*room }

// beginning returns the text of pieces, of a long one a little more than may fit into some cells: it is asked for again
// for each line that a text is broken into.
func beginning(pieces []piece, room int) string {
	var out strings.Builder
	for _, p := range pieces {
		n := mostFitting(room) + 1 - out.Len()
		if n <= 0 {
			break
		}
		for n < len(p.text) && !utf8.RuneStart(p.text[n]) {
			n++
		}
		out.WriteString(p.text[:min(n, len(p.text))])
	}
	return out.String()
}

// fitting returns how many bytes of a text fit into some cells. Of a long one it looks at no more than may fit.
func fitting(text string, room int) int {
	if n := mostFitting(room); n < len(text) {
		for n > 0 && !utf8.RuneStart(text[n]) {
			n--
		}
		text = text[:n]
	}
	return len(ansi.Truncate(text, room, ""))
}

// divided divides pieces after n bytes. What is after them stays where it is: it would be copied for each line that a
// text is broken into.
func divided(pieces []piece, n int) (before, after []piece) {
	for i, p := range pieces {
		if n < len(p.text) {
			if n > 0 {
				before = append(before, piece{p.text[:n], p.look})
			}
			pieces[i].text = p.text[n:]
			return before, pieces[i:]
		}
		before = append(before, p)
		n -= len(p.text)
	}
	return before, nil
}

func (f *filler) put(pieces ...piece) {
	for _, p := range pieces {
		f.used += theme.Width(p.text)
		if last := len(f.line) - 1; last >= 0 && f.line[last].look == p.look {
			f.line[last].text += p.text
			continue
		}
		f.line = append(f.line, p)
	}
}

// end ends the line.
func (f *filler) end() {
	var out strings.Builder
	for _, p := range f.line {
		out.WriteString(f.style(p.look).Render(p.text))
	}
	f.lines = append(f.lines, out.String())
	f.line, f.used, f.gap = nil, 0, false
}
