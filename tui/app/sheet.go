package app

import (
	"slices"
	"strings"

	"github.com/charmbracelet/x/ansi"

	"lens/tui/theme"
)

// A sheet composes the screen from rectangles of lines. Panes do not overlap and fill their rectangles exactly, so a
// row of the screen is the concatenation of the rows of the panes that it crosses. That is ten times faster than a
// canvas of cells. Only a dialog is spliced into the rows behind it.

// sheet lists the panes, left to right within a row, and the dialog last.
type sheet []placed

// placed is a pane's lines in its rectangle.
type placed struct {
	id    string
	at    rect
	over  bool // a dialog
	lines []string
}

// place draws a pane unless its rectangle is empty.
func (s *sheet) place(id string, at rect, view func(rect) []string) {
	if !at.isEmpty() {
		*s = append(*s, placed{id: id, at: at, lines: view(at)})
	}
}

// sort puts the panes in the order in which a row is drawn.
func (s sheet) sort() { slices.SortStableFunc(s, func(a, b placed) int { return a.at.x - b.at.x }) }

// fade draws what is above a row as it is behind a dialog.
func (s sheet) fade(th theme.Theme, below int) {
	for i, p := range s {
		if p.at.y >= below {
			continue
		}
		s[i].lines = make([]string, len(p.lines)) // the components keep theirs
		for y, line := range p.lines {
			s[i].lines[y] = th.Behind(line)
		}
	}
}

// under names the visible pane at a cell, "" for none.
func (s sheet) under(x, y int) string {
	for i := len(s) - 1; i >= 0; i-- {
		if s[i].at.holds(x, y) {
			return s[i].id
		}
	}
	return ""
}

// render returns the rows of a screen of width by height cells.
func (s sheet) render(width, height int) string {
	var out strings.Builder
	for y := range height {
		if y > 0 {
			out.WriteByte('\n')
		}
		out.WriteString(s.row(y, width))
	}
	return out.String()
}

func (s sheet) row(y, width int) string {
	var row strings.Builder
	x := 0
	for _, p := range s {
		if p.over || !p.at.crosses(y) {
			continue
		}
		row.WriteString(strings.Repeat(" ", max(0, p.at.x-x)))
		row.WriteString(p.lines[y-p.at.y])
		x = p.at.x + p.at.w
	}
	line := row.String()
	for _, p := range s {
		if p.over && p.at.crosses(y) {
			line += strings.Repeat(" ", max(0, width-x))
			line = part(line, 0, p.at.x) + p.lines[y-p.at.y] + part(line, p.at.x+p.at.w, width)
		}
	}
	return line
}

// part returns exactly the cells [from, to) of a line. A space replaces a character that is cut in half.
func part(line string, from, to int) string {
	cut := ansi.Cut(line, from, to)
	for at := from + 1; ansi.StringWidth(cut) > to-from && at <= to; at++ { // it begins with half a character
		cut = strings.Repeat(" ", at-from) + ansi.Cut(line, at, to)
	}
	return cut + strings.Repeat(" ", max(0, to-from-ansi.StringWidth(cut)))
}
