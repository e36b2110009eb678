package export

import (
	"bytes"
	"slices"
	"strings"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/renderer"
	goldmarkhtml "github.com/yuin/goldmark/renderer/html"
	"github.com/yuin/goldmark/util"
	"golang.org/x/net/html"

	"lens/internal/cleantext"
)

// htmlMarkdown renders the Markdown that chats use. Without the parsers of HTML, tags are text, and escaped as such.
var htmlMarkdown = goldmark.New(
	goldmark.WithParser(parser.NewParser(
		parser.WithBlockParsers(without(parser.DefaultBlockParsers(), parser.NewHTMLBlockParser())...),
		parser.WithInlineParsers(without(parser.DefaultInlineParsers(), parser.NewRawHTMLParser())...),
		parser.WithParagraphTransformers(parser.DefaultParagraphTransformers()...),
	)),
	goldmark.WithRenderer(renderer.NewRenderer(renderer.WithNodeRenderers(
		util.Prioritized(goldmarkhtml.NewRenderer(), 1000),
		util.Prioritized(harmless{}, 100), // the smaller number wins
	))),
	goldmark.WithExtensions(extension.GFM),
)

func without(parsers []util.PrioritizedValue, parser any) []util.PrioritizedValue {
	return slices.DeleteFunc(parsers, func(p util.PrioritizedValue) bool { return p.Value == parser })
}

// htmlOf renders a Markdown text. A text that would take too long is shown as it is.
func htmlOf(text string) (string, error) {
	if cleantext.SlowMarkdown(text) {
		return "<pre>" + html.EscapeString(text) + "</pre>", nil
	}
	var b bytes.Buffer
	if err := htmlMarkdown.Convert([]byte(text), &b); err != nil {
		return "", err
	}
	return b.String(), nil
}

// harmless renders what could load something, lead somewhere or break the outline of the page: links and images become
// links to the web or text, headings go below those of the page.
type harmless struct{}

// RegisterFuncs implements renderer.NodeRenderer.
func (harmless) RegisterFuncs(r renderer.NodeRendererFuncRegisterer) {
	r.Register(ast.KindHeading, renderHeading)
	r.Register(ast.KindAutoLink, renderAutoLink)
	r.Register(ast.KindLink, func(w util.BufWriter, _ []byte, n ast.Node, entering bool) (ast.WalkStatus, error) {
		return renderLink(w, n, n.(*ast.Link).Destination, entering)
	})
	r.Register(ast.KindImage, func(w util.BufWriter, _ []byte, n ast.Node, entering bool) (ast.WalkStatus, error) {
		return renderLink(w, n, n.(*ast.Image).Destination, entering)
	})
}

func renderHeading(w util.BufWriter, _ []byte, n ast.Node, entering bool) (ast.WalkStatus, error) {
	tag := "h5>"
	if n.(*ast.Heading).Level > 2 {
		tag = "h6>"
	}
	if entering {
		_, _ = w.WriteString("<" + tag)
	} else {
		_, _ = w.WriteString("</" + tag + "\n")
	}
	return ast.WalkContinue, nil
}

func renderAutoLink(w util.BufWriter, source []byte, node ast.Node, entering bool) (ast.WalkStatus, error) {
	n := node.(*ast.AutoLink)
	if !entering {
		return ast.WalkContinue, nil
	}
	label, url := html.EscapeString(string(n.Label(source))), string(n.URL(source))
	if n.AutoLinkType == ast.AutoLinkEmail && !strings.HasPrefix(strings.ToLower(url), "mailto:") {
		url = "mailto:" + url
	}
	if !mayLink(n, url) {
		_, _ = w.WriteString(label)
		return ast.WalkContinue, nil
	}
	_, _ = w.WriteString(`<a class="plain"` + linkTo(url) + label + "</a>")
	return ast.WalkContinue, nil
}

// renderLink renders a link or an image as a link, or as its text with the address in parentheses.
func renderLink(w util.BufWriter, n ast.Node, destination []byte, entering bool) (ast.WalkStatus, error) {
	url := string(destination)
	switch linked := mayLink(n, url); {
	case linked && entering && !n.HasChildren(): // an image without a description
		_, _ = w.WriteString(`<a class="plain"` + linkTo(url) + html.EscapeString(url))
	case linked && entering:
		_, _ = w.WriteString("<a" + linkTo(url))
	case linked:
		_, _ = w.WriteString("</a>")
	case !entering && url != "":
		_, _ = w.WriteString(" (" + html.EscapeString(url) + ")")
	}
	return ast.WalkContinue, nil
}

// mayLink reports whether a node may become a link: its address is safe, and it is not inside another one.
func mayLink(n ast.Node, url string) bool {
	for up := n.Parent(); up != nil; up = up.Parent() {
		if up.Kind() == ast.KindLink || up.Kind() == ast.KindImage {
			return false
		}
	}
	return cleantext.SafeURL(url)
}

// linkTo returns the end of a start tag that links to a URL, which does not learn where the link is.
func linkTo(url string) string {
	url = html.EscapeString(string(util.URLEscape([]byte(url), true)))
	return ` rel="noreferrer noopener nofollow" href="` + url + `">`
}
