package theme

import (
	"strings"

	"github.com/charmbracelet/x/ansi"
)

// Fit returns s in exactly width cells: cut with an ellipsis, or filled with spaces.
func (t Theme) Fit(s string, width int) string {
	if width <= 0 {
		return ""
	}
	n := Width(s)
	if n > width {
		s = ansi.Truncate(s, width, t.Glyphs.Ellipsis)
		n = Width(s)
	}
	return s + strings.Repeat(" ", max(0, width-n))
}

// Spread returns left and right at the ends of a line of exactly width cells. If they collide, right is dropped.
func (t Theme) Spread(left, right string, width int) string {
	gap := width - Width(left) - Width(right)
	if right == "" || gap < 2 {
		return t.Fit(left, width)
	}
	return left + strings.Repeat(" ", gap) + right
}

// Ruled returns left and right at the ends of a rule of exactly width cells. Either may be "".
func (t Theme) Ruled(left, right string, width int) string {
	if right != "" {
		right = " " + right
	}
	rule := strings.Repeat(t.Glyphs.Horizontal, max(0, width-Width(left)-Width(right)))
	return t.Fit(left+t.Rule.Render(rule)+right, width)
}

// Ellipses returns a passage with the theme's ellipsis where its own says that it begins or ends within a sentence.
func (t Theme) Ellipses(passage string) string {
	if within, ok := strings.CutPrefix(passage, unicode.Ellipsis); ok {
		passage = t.Glyphs.Ellipsis + within
	}
	if within, ok := strings.CutSuffix(passage, unicode.Ellipsis); ok {
		passage = within + t.Glyphs.Ellipsis
	}
	return passage
}

// Quoted returns s between quotation marks.
func (t Theme) Quoted(s string) string { return t.Glyphs.Quotes[0] + s + t.Glyphs.Quotes[1] }

// Remarks joins the non-empty parts with the separator.
func (t Theme) Remarks(parts ...string) string {
	var said []string
	for _, p := range parts {
		if p != "" {
			said = append(said, p)
		}
	}
	return strings.Join(said, " "+t.Glyphs.Separator+" ")
}

// Wrapped breaks text into lines of at most width cells, between words where that is possible.
func Wrapped(text string, width int) []string {
	width = max(1, width)
	return strings.Split(ansi.Hardwrap(ansi.Wrap(text, width, ""), width, true), "\n")
}

// Block returns lines as exactly height lines of exactly width cells.
func (t Theme) Block(lines []string, width, height int) []string {
	block := make([]string, max(height, 0))
	for i := range block {
		line := ""
		if i < len(lines) {
			line = lines[i]
		}
		block[i] = t.Fit(line, width)
	}
	return block
}

// Title draws the title of a pane: bold and with a pointer if it has the focus, else quiet, in the same width.
func (t Theme) Title(text string, focused bool) string {
	style := t.Dim
	if focused {
		style = t.Bold
	}
	return t.Pointer(focused) + style.Render(text) + " "
}

// Margin is how many columns are left of what is said on the screen. Signs alone stand there: the prompt, the pointer
// of the focus, the edge of the row under the cursor. In the last column nothing is said either; the rail stands there.
const Margin = 2

// Pointer draws the margin before the title of a pane.
func (t Theme) Pointer(focused bool) string {
	if focused {
		return t.Accent.Render(t.Glyphs.Chosen) + " "
	}
	return strings.Repeat(" ", Margin)
}

// Indented returns a line behind the margin.
func Indented(line string) string { return strings.Repeat(" ", Margin) + line }
