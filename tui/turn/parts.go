package turn

import (
	"strings"

	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/text"

	"lens/internal/cleantext"
)

// Code is a block of code in a Markdown text.
type Code struct {
	Language string // "" if not given
	Text     string // without the fence, with its last newline
}

// Link is a link in a Markdown text.
type Link struct{ Text, URL string }

// Parts returns the blocks of code and the links of a Markdown text in order, without repeated links. Only http,
// https and mailto links are included.
func Parts(markdown string) (code []Code, links []Link) {
	if cleantext.SlowMarkdown(markdown) {
		return nil, nil
	}
	source := []byte(markdown)
	seen := map[string]bool{}
	link := func(words, url string) {
		if !seen[url] && cleantext.SafeURL(url) {
			seen[url] = true
			links = append(links, Link{strings.TrimSpace(words), url})
		}
	}
	_ = ast.Walk(dialect().Parse(text.NewReader(source)), func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		if !entering {
			return ast.WalkContinue, nil
		}
		switch n := n.(type) {
		case *ast.FencedCodeBlock:
			code = append(code, Code{string(n.Language(source)), string(n.Lines().Value(source))})
		case *ast.CodeBlock:
			code = append(code, Code{"", string(n.Lines().Value(source))})
		case *ast.Link:
			link(words(n, source), string(n.Destination))
		case *ast.AutoLink:
			link("", string(n.URL(source)))
		}
		return ast.WalkContinue, nil
	})
	return code, links
}

// words returns the text below a node.
func words(n ast.Node, source []byte) string {
	var out strings.Builder
	_ = ast.Walk(n, func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		if t, ok := n.(*ast.Text); ok && entering {
			out.Write(t.Segment.Value(source))
		}
		return ast.WalkContinue, nil
	})
	return out.String()
}
