package turn

import (
	"regexp"
	"strings"

	"github.com/charmbracelet/x/ansi"
)

// Lists with hanging indents: glamour begins the second line of an item where its bullet stands, and here it moves below the text.

// hang is the room that is kept for moving: as much as "12. " takes.
const hang = 4

var (
	listed = regexp.MustCompile(`(?m)^\s*([-*+]|\d{1,2}[.)])\s`)     // in markdown
	marked = regexp.MustCompile(`^( *)([•*] |\d{1,2}\. |\[[ x]\] )`) // as rendered
)

// wrapAt returns where to let glamour wrap text for a pane of width cells. Inside lists and quotes its lines are a cell too long.
func wrapAt(text string, width int) int {
	if listed.MatchString(text) && width > 4*hang {
		return width - 1 - hang
	}
	return max(1, width-1)
}

// item is one whose further lines are looked for: they begin where it does, and its text is deeper.
type item struct{ indent, deeper int }

// hung moves the further lines of items below their text. They are those that begin where the item does, up to an empty line; behind
// the mark of a further paragraph they go on.
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

// around returns the items that an item at indent can be inside of.
func around(items []item, indent int) []item {
	for len(items) > 0 && items[len(items)-1].indent >= indent {
		items = items[:len(items)-1]
	}
	return items
}

// under moves a line of the innermost item that begins where it does.
func under(line string, indent int, items []item, width int) string {
	for _, it := range items {
		if it.indent == indent && ansi.StringWidth(line)+it.deeper <= width {
			return strings.Repeat(" ", it.deeper) + line
		}
	}
	return line
}
