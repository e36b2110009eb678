package turn

import (
	"strings"

	"github.com/charmbracelet/x/ansi"
	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	"github.com/yuin/goldmark/text"

	"lens/tui/theme"
)

// Preprocessing for two things that glamour lacks: empty lines between the paragraphs of a list item, and visible
// breaks in long lines of code.

// apart is a placeholder line between two paragraphs of an item. After rendering it becomes an empty line.
const apart = "\ue000"

// halt is the same before code, whose lines are not moved.
const halt = "\ue001"

// leastCode is the least width at which lines of code are broken.
const leastCode = 12

// dialect parses the same Markdown as glamour.
var dialect = goldmark.New(goldmark.WithExtensions(extension.GFM, extension.DefinitionList)).Parser()

// edit replaces the bytes [from, to) of a source.
type edit struct {
	from, to int
	with     string
}

// prepared returns Markdown for glamour to render in wrap cells.
func prepared(source string, wrap int, th theme.Theme) string {
	var edits []edit
	_ = ast.Walk(dialect.Parse(text.NewReader([]byte(source))), func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		switch {
		case !entering:
		case n.Kind() == ast.KindFencedCodeBlock, n.Kind() == ast.KindCodeBlock:
			edits = append(edits, halted(source, n)...)
			edits = append(edits, continued(source, n, codeRoom(n, wrap), th.Glyphs.Continued)...)
		case isParagraph(n) && n.PreviousSibling() != nil && n.Parent().Kind() == ast.KindListItem:
			edits = append(edits, parted(source, n))
		}
		return ast.WalkContinue, nil
	})
	return applied(source, edits)
}

// applied applies edits in order and skips overlapping ones.
func applied(source string, edits []edit) string {
	var out strings.Builder
	at := 0
	for _, e := range edits {
		if e.from < at {
			continue
		}
		out.WriteString(source[at:e.from] + e.with)
		at = e.to
	}
	return out.String() + source[at:]
}

func isParagraph(n ast.Node) bool {
	return (n.Kind() == ast.KindParagraph || n.Kind() == ast.KindTextBlock) && n.Lines().Len() > 0
}

// parted joins a paragraph of an item to the one before it, separated by apart. glamour would put nothing between them.
func parted(source string, n ast.Node) edit {
	start := n.Lines().At(0).Start
	before := n.PreviousSibling()
	if !isParagraph(before) {
		return edit{start, start, apart + "\n"}
	}
	return edit{endOf(source, before), start, "\n" + apart + "\n"}
}

// halted puts an empty line between a paragraph of an item and the code after it.
func halted(source string, n ast.Node) []edit {
	before := n.PreviousSibling()
	if n.Parent().Kind() != ast.KindListItem || before == nil || !isParagraph(before) {
		return nil
	}
	end := endOf(source, before)
	return []edit{{end, end, "\n" + halt}}
}

// endOf returns where the text of a paragraph ends.
func endOf(source string, n ast.Node) int {
	return len(strings.TrimRight(source[:n.Lines().At(n.Lines().Len()-1).Stop], " \n"))
}

// codeRoom returns the width for a block of code inside its lists and quotes.
func codeRoom(n ast.Node, wrap int) int {
	room, lists := wrap-2, 0
	for up := n.Parent(); up != nil; up = up.Parent() {
		switch up.Kind() {
		case ast.KindList:
			lists++
		case ast.KindBlockquote:
			room -= 2
		}
	}
	return room - 2*max(0, lists-1)
}

// continued breaks lines of code that do not fit, between words unless that leaves a line half empty.
func continued(source string, n ast.Node, room int, mark string) []edit {
	var edits []edit
	for i := 0; room >= leastCode && i < n.Lines().Len(); i++ {
		at := n.Lines().At(i)
		line := strings.TrimRight(source[at.Start:at.Stop], "\n")
		margin := marginOf(source[strings.LastIndexByte(source[:at.Start], '\n')+1 : at.Start])
		for from, left := at.Start, room; ansi.StringWidth(line) > left; left = room - 2 {
			n := len(ansi.Truncate(line, left, ""))
			if space := strings.LastIndexByte(line[:n], ' ') + 1; space > n/2 {
				n = space
			}
			if n == 0 {
				break
			}
			from, line = from+n, line[n:]
			edits = append(edits, edit{from, from, "\n" + margin + mark + " "})
		}
	}
	return edits
}

// marginOf returns the prefix for a continuation line: quote marks repeat, list marks do not.
func marginOf(prefix string) string {
	return strings.Map(func(r rune) rune {
		if r == '>' || r == '\t' {
			return r
		}
		return ' '
	}, prefix)
}
