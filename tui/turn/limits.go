package turn

import "strings"

// The most that is rendered. More is shown as it was written: a chat holds what strangers wrote, and could keep a renderer busy for
// minutes.
const (
	longest    = 256 << 10 // bytes: 20 ms take 10 KB, and no one waits for a second
	deepest    = 16        // quotes and lists opened in a line: glamour takes ten times as long for every ten more
	mostMarks  = 4000      // marks of emphasis and links in a paragraph: goldmark's time grows with their square
	mostBlocks = 400       // headings and fences: the time for headings grows with their square, and each block's language is guessed
)

// isTooMuch reports whether rendering a markdown text could take more than a moment.
func isTooMuch(text string) bool {
	marks, blocks := 0, 0
	for line := range strings.Lines(text) {
		depth, rest := opened(line)
		switch {
		case strings.TrimSpace(line) == "":
			marks = 0
		case strings.Trim(line, " \t\n>-") == "", strings.HasPrefix(rest, "#"), strings.HasPrefix(rest, "="), strings.HasPrefix(rest, "```"), strings.HasPrefix(rest, "~~~"):
			blocks++
		}
		for _, mark := range "*_~[" {
			marks += strings.Count(line, string(mark))
		}
		if depth > deepest || marks > mostMarks || blocks > mostBlocks {
			return true
		}
	}
	return len(text) > longest
}

// opened returns how many quotes and lists a line opens, and what comes after them.
func opened(line string) (depth int, rest string) {
	i := 0
	for ; i < len(line) && strings.IndexByte(" \t>-*+0123456789.)", line[i]) >= 0; i++ {
		marks := strings.IndexByte("-*+.)", line[i]) >= 0 && i+1 < len(line) && line[i+1] == ' '
		if line[i] == '>' || marks {
			depth++
		}
	}
	return depth, strings.TrimSpace(line[i:])
}
