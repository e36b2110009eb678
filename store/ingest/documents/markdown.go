package documents

import (
	"strings"

	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/parser"
	gmtext "github.com/yuin/goldmark/text"
)

// readMarkdown keeps the source of a document unchanged, including links and code; the parser only locates its
// headings.
func readMarkdown(s string) (t text) {
	t.title, s = frontMatter(s)
	r := markdownReader{text: &t}
	for s != "" {
		n := partOf(s)
		r.read(s[:n])
		s = s[n:]
	}
	return t
}

// markdownReader reads a document part after part: a parsed one takes many times its size.
type markdownReader struct {
	*text
	open headings
}

// partBytes is the least size of a part.
const partBytes = 256 << 10

// partOf returns where the first part of s ends: before a heading that follows an empty line, outside of fenced blocks.
func partOf(s string) int {
	at, fence, blank := 0, "", false
	for line := range strings.Lines(s) {
		trimmed := strings.TrimSpace(line)
		switch isFence := strings.HasPrefix(trimmed, "```") || strings.HasPrefix(trimmed, "~~~"); {
		case fence != "":
			if strings.HasPrefix(trimmed, fence) {
				fence = ""
			}
		case isFence:
			fence = trimmed[:3]
		case at >= partBytes && blank && line[0] == '#':
			return at
		}
		at, blank = at+len(line), trimmed == ""
	}
	return at
}

// locator parses blocks alone: what is inside of paragraphs and headings does not matter here.
var locator = parser.NewParser(
	parser.WithBlockParsers(parser.DefaultBlockParsers()...),
	parser.WithParagraphTransformers(parser.DefaultParagraphTransformers()...),
)

func (r *markdownReader) read(s string) {
	t := r.text
	from := 0
	root := locator.Parse(gmtext.NewReader([]byte(s)))
	for node := root.FirstChild(); node != nil; node = node.NextSibling() {
		h, ok := node.(*ast.Heading)
		if !ok || h.Lines().Len() == 0 {
			continue
		}
		start, end, name := headingAt(s, h)
		if start < from {
			continue
		}
		t.add(prose(s[from:start], r.open.names)...)
		r.open.open(h.Level, name)
		if t.title == "" && h.Level == 1 {
			t.title = r.open.names[len(r.open.names)-1]
		}
		from = end
	}
	t.add(prose(s[from:], r.open.names)...)
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
	from, at := 0, 0
	fence := ""
	end := func(to int, code bool) {
		if p := strings.Trim(s[from:to], "\n"); strings.TrimSpace(p) != "" {
			blocks = append(blocks, block{headings: under, text: strings.TrimRight(p, " \t\n"), code: code})
		}
		from = to
	}
	for line := range strings.Lines(s) {
		trimmed := strings.TrimSpace(line)
		before := at
		at += len(line)
		switch {
		case fence != "":
			if strings.HasPrefix(trimmed, fence) {
				fence = ""
				end(at, true)
			}
		case strings.HasPrefix(trimmed, "```"), strings.HasPrefix(trimmed, "~~~"):
			end(before, false)
			fence = trimmed[:3]
		case trimmed == "":
			end(before, false)
			from = at
		}
	}
	end(at, fence != "")
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
