package documents

import (
	"strings"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	gmtext "github.com/yuin/goldmark/text"
)

// readMarkdown keeps the source of a document unchanged, including links and code; the parser only locates its
// headings.
func readMarkdown(s string) (t text) {
	t.title, s = frontMatter(s)
	source := []byte(s)
	var open headings
	from := 0
	root := goldmark.DefaultParser().Parse(gmtext.NewReader(source))
	for node := root.FirstChild(); node != nil; node = node.NextSibling() {
		h, ok := node.(*ast.Heading)
		if !ok || h.Lines().Len() == 0 {
			continue
		}
		start, end, name := headingAt(s, h)
		if start < from {
			continue
		}
		t.blocks = append(t.blocks, prose(s[from:start], open.names)...)
		open.open(h.Level, name)
		if t.title == "" && h.Level == 1 {
			t.title = open.names[len(open.names)-1]
		}
		from = end
	}
	t.blocks = append(t.blocks, prose(s[from:], open.names)...)
	return t
}

// headingAt returns the start and end of a heading's lines, including the underline of a setext heading, and its text.
func headingAt(s string, h *ast.Heading) (start, end int, name string) {
	lines := h.Lines()
	first, last := lines.At(0), lines.At(lines.Len()-1)
	start = strings.LastIndexByte(s[:first.Start], '\n') + 1
	end = lineEnd(s, max(first.Start, last.Stop-1))
	name = strings.Trim(s[first.Start:last.Stop], "# \t\n")
	if !strings.HasPrefix(strings.TrimLeft(s[start:], " \t>"), "#") {
		end = lineEnd(s, end) // the line of = or -
	}
	return start, end, name
}

// lineEnd returns the start of the line after the one that contains at.
func lineEnd(s string, at int) int {
	if at >= len(s) {
		return len(s)
	}
	if n := strings.IndexByte(s[at:], '\n'); n >= 0 {
		return at + n + 1
	}
	return len(s)
}

// prose returns the paragraphs of a part of a Markdown document. A fenced block is one paragraph.
func prose(s string, under []string) (blocks []block) {
	var b strings.Builder
	fence := ""
	end := func(code bool) {
		if p := strings.Trim(b.String(), "\n"); strings.TrimSpace(p) != "" {
			blocks = append(blocks, block{headings: under, text: strings.TrimRight(p, " \t\n"), code: code})
		}
		b.Reset()
	}
	for line := range strings.Lines(s) {
		trimmed := strings.TrimSpace(line)
		switch {
		case fence != "":
			b.WriteString(line)
			if strings.HasPrefix(trimmed, fence) {
				fence = ""
				end(true)
			}
			continue
		case strings.HasPrefix(trimmed, "```"), strings.HasPrefix(trimmed, "~~~"):
			end(false)
			fence = trimmed[:3]
		case trimmed == "":
			end(false)
			continue
		}
		b.WriteString(line)
	}
	end(fence != "")
	return blocks
}

// frontMatter returns the title in the front matter, between lines of ---, and the document without front matter.
func frontMatter(s string) (title, rest string) {
	if !strings.HasPrefix(s, "---\n") {
		return "", s
	}
	head, body, ok := strings.Cut(s[len("---\n"):], "\n---\n")
	if !ok {
		return "", s
	}
	for line := range strings.Lines(head) {
		if value, is := strings.CutPrefix(line, "title:"); is {
			title = strings.Trim(strings.TrimSpace(value), `"'`)
		}
	}
	return title, body
}
