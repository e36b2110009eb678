// Package info draws facts in sections, names at the left and values at the right. It is pure; a Page only scrolls.
package info

import (
	"strings"

	"github.com/charmbracelet/x/ansi"

	"lens/tui/theme"
)

// Fact is a name and a value. Both must be clean.
type Fact struct{ Name, Says string }

// Section is a list of facts under a title.
type Section struct {
	Title string
	Facts []Fact
}

// Add adds a fact unless its value is empty.
func (s *Section) Add(name, says string) {
	if says != "" {
		s.Facts = append(s.Facts, Fact{name, says})
	}
}

// Page is the scroll position. The zero Page is at the top.
type Page struct {
	offset, height, lines int // of the last View
}

// Scroll moves by n lines, as far as there are any.
func (p *Page) Scroll(n int) { p.offset = max(0, min(p.offset+n, p.lines-p.height)) }

// ScrollPage moves by pages of the last View, with a line of overlap.
func (p *Page) ScrollPage(n int) { p.Scroll(n * max(1, p.height-1)) }

// Percent returns how much of the text lies above the lower end of the pane; 100 when all of it fits.
func (p *Page) Percent() int {
	if p.lines == 0 {
		return 100
	}
	return min(100, (p.offset+p.height)*100/p.lines)
}

// nameWidth is the width of the name column, if there is room for two columns.
const nameWidth = 16

// View draws sections in exactly height lines of width cells.
func (p *Page) View(sections []Section, width, height int, th theme.Theme) []string {
	var lines []string
	for i, s := range sections {
		if i > 0 {
			lines = append(lines, "")
		}
		lines = append(lines, th.Bold.Render(ansi.Truncate(s.Title, width, th.Glyphs.Ellipsis)))
		for _, f := range s.Facts {
			lines = append(lines, f.lines(width, th)...)
		}
	}
	p.lines, p.height = len(lines), height
	p.Scroll(0)
	return th.Block(lines[p.offset:], width, height)
}

// lines wraps the value beside the name.
func (f Fact) lines(width int, th theme.Theme) []string {
	indent := min(nameWidth, width/3)
	room := max(1, width-indent)
	said := strings.Split(ansi.Hardwrap(ansi.Wrap(f.Says, room, ""), room, true), "\n")
	lines := []string{th.Dim.Render(th.Fit(f.Name, indent-1)) + " " + said[0]}
	for _, more := range said[1:] {
		lines = append(lines, strings.Repeat(" ", indent)+more)
	}
	return lines
}
