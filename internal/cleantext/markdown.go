package cleantext

import "strings"

// Limits for rendering Markdown. Texts beyond them are shown unrendered: untrusted text could keep a renderer busy for
// minutes.
const (
	longest    = 256 << 10 // bytes: 10 KB take 3 ms
	deepest    = 16        // quotes and lists opened in a line: more leave no room for text
	mostMarks  = 4000      // emphasis and link marks in a paragraph: goldmark's time grows with their square
	mostBlocks = 400       // headings and fences: time grows with their square, and each language is guessed
)

// SlowMarkdown reports whether a Markdown text exceeds the limits for rendering.
func SlowMarkdown(text string) bool {
	marks, blocks := 0, 0
	for line := range strings.Lines(text) {
		depth, rest := opened(line)
		switch {
		case strings.TrimSpace(line) == "":
			marks = 0
		case strings.Trim(line, " \t\n>-") == "",
			strings.HasPrefix(rest, "#"),
			strings.HasPrefix(rest, "="),
			strings.HasPrefix(rest, "```"),
			strings.HasPrefix(rest, "~~~"):
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

// SafeURL reports whether a URL may become a link: only http, https and mailto may.
func SafeURL(url string) bool {
	scheme, _, ok := strings.Cut(strings.ToLower(url), ":")
	return ok && (scheme == "http" || scheme == "https" || scheme == "mailto")
}
