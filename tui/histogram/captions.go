package histogram

import (
	"strings"

	"github.com/charmbracelet/x/ansi"

	"lens/internal/chart"
	"lens/tui/theme"
)

// Caption says what sets the bar of a bin apart.
type Caption struct {
	Bin   int
	Words []string // the most telling first; they are dropped from the end if there is no room
}

const (
	mostCaptions = 3
	captionWords = 2 // more are read as a list of their own
)

// caption writes the captions over the lines of a plot: above their bars, over the area and the grid, never over a bar
// or beside another caption. Those that find no place are left out.
// covered has how many lines are drawn over, behind how many the area takes, by column.
func (c Chart) caption(lines []string, columns chart.Columns, covered, behind []int, th theme.Theme) {
	if len(lines) < headed {
		return
	}
	p := placing{tops: make([]int, len(covered)), taken: make([][2]int, len(lines))}
	for x := range p.tops {
		p.tops[x] = len(lines) - covered[x]
	}
	written := 0
	for _, caption := range c.Captions {
		if written == mostCaptions {
			return
		}
		from, to := columns.Bar(caption.Bin)
		for n := min(len(caption.Words), captionWords); n > 0; n-- {
			text := th.Remarks(caption.Words[:n]...)
			if row, x, ok := p.place(from, to, theme.Width(text)); ok {
				filled := func(i int) bool { return len(lines)-row <= behind[x+i] }
				lines[row] = over(lines[row], gutter+x, onArea(text, filled, th), Glyphs(th).Grid)
				written++
				break
			}
		}
	}
}

// placing finds places for captions.
type placing struct {
	tops  []int    // by column: the line of the top of its bar
	taken [][2]int // by line: the columns of a caption
}

// place returns the line and the column for a caption of a bar in the columns [from, to).
func (p *placing) place(from, to, width int) (row, x int, ok bool) {
	top := p.tops[from]
	for row = top - 1; row >= max(0, top-3); row-- {
		for _, x = range []int{(from + to - width) / 2, from - 1, to + 2 - width} {
			if p.isFree(row, x, width) {
				p.taken[row] = [2]int{x, x + width}
				return row, x, true
			}
		}
	}
	return 0, 0, false
}

// isFree reports whether a line has room at a column. One line has one caption: two would be read as one.
func (p *placing) isFree(row, x, width int) bool {
	if x < 0 || x+width > len(p.tops) || p.taken[row] != [2]int{} {
		return false
	}
	for _, top := range p.tops[max(0, x-1):min(x+width+1, len(p.tops))] { // beside a bar it would be read as its end
		if row >= top {
			return false
		}
	}
	for near := max(0, row-1); near <= min(row+1, len(p.taken)-1); near++ {
		if other := p.taken[near]; other != [2]int{} && x < other[1]+1 && other[0] < x+width+1 {
			return false
		}
	}
	return true
}

// onArea styles text. Cells that the area fills keep its color behind it.
func onArea(text string, filled func(cell int) bool, th theme.Theme) string {
	var all strings.Builder
	for from, width := 0, theme.Width(text); from < width; {
		to := from + 1
		for to < width && filled(to) == filled(from) {
			to++
		}
		part := th.Dim.Render(ansi.Cut(text, from, to))
		if filled(from) {
			part = th.Ground.Under(part)
		}
		all.WriteString(part)
		from = to
	}
	return all.String()
}

// over writes text over the cells of a line from column x on. A line of the grid keeps a blank away from it.
func over(line string, x int, text, grid string) string {
	end := x + theme.Width(text)
	if ansi.Strip(ansi.Cut(line, x-1, x)) == grid {
		x, text = x-1, " "+text
	}
	if ansi.Strip(ansi.Cut(line, end, end+1)) == grid {
		end, text = end+1, text+" "
	}
	return ansi.Truncate(line, x, "") + text + ansi.TruncateLeft(line, end, "")
}
