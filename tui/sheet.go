package tui

import (
	"strings"

	"github.com/charmbracelet/x/ansi"
)

// A sheet is the screen as rectangles of lines. Panes do not overlap and have exactly the lines and cells of their rectangles, so a row
// of the screen is a row of each pane that it crosses, one after another: nothing has to be drawn into cells and read out of them again,
// which is what a canvas would do, at ten times the price. Only an overlay is cut into the rows that it lies on.

// sheet is what lies where, left to right within a row; the overlay last.
type sheet []placed

// placed is a pane's lines in its rectangle.
type placed struct {
	id    string
	at    rect
	over  bool // lies on what is beneath
	lines []string
}

// place draws a pane, unless it has no room.
func (s *sheet) place(id string, at rect, view func(rect) []string) {
	if !at.isEmpty() {
		*s = append(*s, placed{id: id, at: at, lines: view(at)})
	}
}

// under names what is seen at a cell, "" for nothing.
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

// part returns the cells [from, to) of a line, as many as that. Of a character that is cut in two a space is left.
func part(line string, from, to int) string {
	cut := ansi.Cut(line, from, to)
	for at := from + 1; ansi.StringWidth(cut) > to-from && at <= to; at++ { // it begins with the character that is cut
		cut = strings.Repeat(" ", at-from) + ansi.Cut(line, at, to)
	}
	return cut + strings.Repeat(" ", max(0, to-from-ansi.StringWidth(cut)))
}
