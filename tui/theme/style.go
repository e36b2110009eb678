package theme

import (
	"image/color"
	"strings"

	"charm.land/lipgloss/v2"
)

// Style has the escape sequences before and after a text. lipgloss creates them but renders ten times slower, because
// it checks margins, borders and tabs each time, which no token has. The zero Style leaves text as it is.
type Style struct {
	Before, Behind string
	look           lipgloss.Style
}

func styled(look lipgloss.Style) Style {
	before, behind, _ := strings.Cut(look.Render("x"), "x")
	return Style{before, behind, look}
}

// in returns the style with a color.
func (s Style) in(c color.Color) Style { return styled(s.look.Foreground(c)) }

// Bold returns the style in bold.
func (s Style) Bold() Style { return styled(s.look.Bold(true)) }

// Plain returns the style without bold.
func (s Style) Plain() Style { return styled(s.look.Bold(false)) }

// over returns the style on a background.
func (s Style) over(c color.Color) Style { return styled(s.look.Background(c)) }

func (s Style) italic() Style { return styled(s.look.Italic(true)) }

// Of returns a style that looks so.
func Of(look lipgloss.Style) Style { return styled(look) }

// Lipgloss returns the style for a component of Bubbles.
func (s Style) Lipgloss() lipgloss.Style { return s.look }

// Render styles a piece of a line.
func (s Style) Render(text string) string {
	if text == "" {
		return ""
	}
	return s.Before + text + s.Behind
}

// Under puts the style's background behind a line that has styles of its own.
func (s Style) Under(line string) string {
	if s.Before == "" {
		return line
	}
	return s.Before + strings.ReplaceAll(line, reset, reset+s.Before) + reset
}

// reset is how lipgloss ends every style.
const reset = "\x1b[m"

// Over applies the style to the cells [from, to) of a styled line. The ranges must be in order.
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
