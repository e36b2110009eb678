package theme

import (
	"image/color"
	"strings"

	"charm.land/lipgloss/v2"
)

// Style is how text of one meaning is written: what comes before it, and behind it. lipgloss makes these, but renders ten times slower with
// them, since it asks each time for margins, borders and tabs that no token has. The zero Style writes text as it is.
type Style struct {
	Before, Behind string
	look           lipgloss.Style
}

func styled(look lipgloss.Style) Style {
	before, behind, _ := strings.Cut(look.Render("x"), "x")
	return Style{before, behind, look}
}

// in returns the style in a colour.
func (s Style) in(c color.Color) Style { return styled(s.look.Foreground(c)) }

// Render writes a piece of a line.
func (s Style) Render(text string) string {
	if text == "" {
		return ""
	}
	return s.Before + text + s.Behind
}

// Over writes the cells [from, to) of a line, in order, in this style on top of what is written there.
func (s Style) Over(line string, cells [][2]int) string {
	if len(cells) == 0 {
		return line
	}
	ranges := make([]lipgloss.Range, len(cells))
	for i, c := range cells {
		ranges[i] = lipgloss.NewRange(c[0], c[1], s.look)
	}
	return lipgloss.StyleRanges(line, ranges...)
}
