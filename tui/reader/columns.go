package reader

import (
	"strings"

	"lens/tui/theme"
)

// columns says where in the pane the text and the rail are.
type columns struct{ left, prose, gap, rail, opening, right int }

// The widths of the columns, in cells.
const (
	mostProse    = 96
	leastOpening = 14
	mostOpening  = 48 // with which text and outline stand in the middle: more is read as text, not at a glance
	leastRailed  = 24 // a narrower pane has no rail
)

// divide divides the width of the pane. Columns do not depend on the text, so that nothing is drawn twice.
func divide(width int) columns {
	if width < leastRailed {
		return columns{prose: max(0, width)}
	}
	c := columns{prose: min(mostProse, width-3), gap: 2, rail: 1}
	if beside := width - mostProse - 6; beside >= leastOpening {
		c.gap, c.rail, c.opening = 3, 2, min(mostOpening, beside)
	}
	spare := width - c.prose - c.gap - c.rail - c.opening
	switch c.opening {
	case 0: // a rail without an outline stands at the edge
		c.gap += spare
		return c
	case mostOpening: // both together stand in the middle; else the text is below the title
		c.left = spare / 2
	}
	c.right = spare - c.left
	return c
}

// hasRail reports whether a cell is in the column of the rail, or right of it.
func (c columns) hasRail(x int) bool { return c.rail > 0 && x >= c.left+c.prose+c.gap }

// join puts the rail beside the lines of the text.
func (c columns) join(th theme.Theme, lines, rail []string) []string {
	left, gap, right := strings.Repeat(" ", c.left), strings.Repeat(" ", c.gap), strings.Repeat(" ", c.right)
	block := make([]string, len(rail))
	for i := range block {
		line := ""
		if i < len(lines) {
			line = lines[i]
		}
		block[i] = left + th.Fit(line, c.prose) + gap + rail[i] + right
	}
	return block
}
