package turn

import (
	"regexp"
	"strings"

	"github.com/charmbracelet/x/ansi"
)

// Hanging indents for lists: glamour aligns the second line of an item with its bullet; here it moves below the text.

// hang is the room reserved for the indent, the width of "12. ".
const hang = 4

var (
	listed = regexp.MustCompile(`(?m)^\s*([-*+]|\d{1,2}[.)])\s`)     // in Markdown
	marked = regexp.MustCompile(`^( *)([•*] |\d{1,2}\. |\[[ x]\] )`) // as rendered
)

// wrapAt returns the width at which glamour wraps for a pane of width cells. Inside lists and quotes its lines are
// one cell too long.
func wrapAt(text string, width int) int {
	if listed.MatchString(text) && width > 4*hang {
		return width - 1 - hang
	}
	return max(1, width-1)
}

// item is a list item: the indent of its bullet, and how much deeper its text is.
type item struct{ indent, deeper int }

// hung moves the continuation lines of items below their text: lines with the same indent as the bullet, up to an
// empty line or, across apart, beyond it.
func hung(lines []string, width int) []string {
	var items []item // each inside the one before
	inside := false
	for i, line := range lines {
		plain := ansi.Strip(line)
		text := strings.TrimLeft(plain, " ")
		indent := len(plain) - len(text)
		if isApart := strings.Contains(text, apart); isApart || strings.Contains(text, halt) {
			inside = isApart && len(items) > 0
			lines[i] = trimmed(strings.NewReplacer(apart, "", halt, "").Replace(line))
			continue
		}
		m := marked.FindStringSubmatch(plain)
		switch {
		case text == "":
			inside = false
		case m != nil:
			items = append(around(items, indent), item{indent, ansi.StringWidth(m[2])})
			inside = true
		case inside:
			lines[i] = under(line, indent, items, width)
		}
	}
	return lines
}

// around returns the items that enclose an item at indent.
func around(items []item, indent int) []item {
	for len(items) > 0 && items[len(items)-1].indent >= indent {
		items = items[:len(items)-1]
	}
	return items
}

// under indents a line by the item that has the same indent.
func under(line string, indent int, items []item, width int) string {
	for _, it := range items {
		if it.indent == indent && ansi.StringWidth(line)+it.deeper <= width {
			return strings.Repeat(" ", it.deeper) + line
		}
	}
	return line
}
