package details

import (
	"strings"

	"github.com/charmbracelet/x/ansi"

	"lens/tui/theme"
)

// fact is a name and a value. Both must be clean.
type fact struct{ name, says string }

// section is a list of facts under a title.
type section struct {
	title string
	facts []fact
}

// add adds a fact unless its value is empty.
func (s *section) add(name, says string) {
	if says != "" {
		s.facts = append(s.facts, fact{name, says})
	}
}

// nameWidth is the width of the name column, if there is room for two columns.
const nameWidth = 16

// laid lays sections out for a width, names at the left and values at the right. A very narrow pane cuts the lines.
func laid(sections []section, width int, th theme.Theme) []string {
	var lines []string
	for _, s := range sections {
		if len(s.facts) == 0 {
			continue
		}
		if len(lines) > 0 {
			lines = append(lines, "")
		}
		lines = append(lines, th.Bold.Render(ansi.Truncate(s.title, width, th.Glyphs.Ellipsis)))
		for _, f := range s.facts {
			lines = append(lines, f.lines(width, th)...)
		}
	}
	return lines
}

// lines wraps the value beside the name.
func (f fact) lines(width int, th theme.Theme) []string {
	indent := min(nameWidth, width/3)
	room := max(1, width-indent)
	said := theme.Wrapped(f.says, room)
	lines := []string{th.Dim.Render(th.Fit(f.name, indent-1)) + " " + said[0]}
	for _, more := range said[1:] {
		lines = append(lines, strings.Repeat(" ", indent)+more)
	}
	return lines
}
