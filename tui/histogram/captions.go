package histogram

import (
	"strings"

	"github.com/charmbracelet/x/ansi"

	"lens/internal/chart"
	"lens/tui/theme"
)

// Caption says what sets the bar of a bin apart. Without words, it names the time of the bin.
type Caption struct {
	Bin   int
	Words []string // the most telling first; they are dropped from the end if there is no room
}

const (
	mostCaptions = 3
	captionWords = 2 // more are read as a list of their own
	captionRows  = 3 // above a bar, within which its caption is
	captionGap   = 6 // columns between two in one line: with fewer, they would be read as one
)

// caption writes the captions over the lines of a plot: above their bars, over the area and the grid, never over a bar
// or beside another caption. Those that find no place are left out.
// covered has how many lines are drawn over, behind how many the area takes, by column.
func (c Chart) caption(lines []string, columns chart.Columns, covered, behind []int, th theme.Theme) {
	if len(lines) < headed {
		return
	}
	p := placing{tops: make([]int, len(covered))}
	for x := range p.tops {
		p.tops[x] = len(lines) - covered[x]
	}
	for _, caption := range c.Captions {
		if len(p.taken) == mostCaptions {
			return
		}
		var texts []string
		if bin := c.Bins[caption.Bin]; len(caption.Words) == 0 {
			texts = append(texts, binName(c.Unit, bin.Start, bin.End, th)+c.zone())
		}
		for n := min(len(caption.Words), captionWords); n > 0; n-- {
			texts = append(texts, th.Remarks(caption.Words[:n]...))
		}
		from, to := columns.Bar(caption.Bin)
		if text, at, ok := p.place(from, to, texts); ok {
			filled := func(i int) bool { return len(lines)-at.row <= behind[at.from+i] }
			lines[at.row] = over(lines[at.row], gutter+at.from, onArea(text, filled, th), Glyphs(th).Grid)
		}
	}
}

// placing finds places for captions.
type placing struct {
	tops  []int // by column: the line of the top of its bar
	taken []place
}

// place is where a caption stands: the columns [from, to) of a line.
type place struct{ row, from, to int }

// place chooses among the texts of a caption, the longest first, for a bar in the columns [from, to). It stands as near
// above the bar as there is room, and as near to its middle. A text that would be far from there gives way to a
// shorter one.
func (p *placing) place(from, to int, texts []string) (text string, at place, ok bool) {
	top := p.tops[from]
	for row := top - 1; row >= max(0, top-captionRows); row-- {
		for i, text := range texts {
			width := theme.Width(text)
			middle, most := (from+to-width)/2, width/6
			if i == len(texts)-1 {
				most = max(0, width-to+from+1) / 2
			}
			for shift := range most + 1 {
				for _, x := range []int{middle - shift, middle + shift} {
					if at = (place{row, x, x + width}); p.isFree(at) {
						p.taken = append(p.taken, at)
						return text, at, true
					}
				}
			}
		}
	}
	return "", place{}, false
}

// isFree reports whether a caption has room at a place.
func (p *placing) isFree(at place) bool {
	if at.from < 0 || at.to > len(p.tops) {
		return false
	}
	for _, top := range p.tops[max(0, at.from-1):min(at.to+1, len(p.tops))] { // beside a bar it would be read as its end
		if at.row >= top {
			return false
		}
	}
	for _, other := range p.taken {
		gap := 1
		switch other.row - at.row {
		case 0:
			gap = captionGap
		case -1, 1:
		default:
			continue
		}
		if at.from < other.to+gap && other.from < at.to+gap {
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
