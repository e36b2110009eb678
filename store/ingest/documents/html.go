package documents

import (
	"bytes"
	"errors"
	"io"
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// readHTML reads the visible text of a page, tag by tag, so that damaged markup does not affect what follows.
func readHTML(data []byte) (text, string) {
	s, ok := decode(data)
	if !ok {
		return text{}, "not text, whatever its name says"
	}
	r := pageReader{tokens: html.NewTokenizer(strings.NewReader(s))}
	for r.next() {
	}
	if err := r.tokens.Err(); !errors.Is(err, io.EOF) {
		return text{}, "HTML that cannot be read"
	}
	r.endParagraph()
	return r.text, ""
}

// pageReader collects the text of a page.
type pageReader struct {
	text
	tokens *html.Tokenizer
	stack  headings
	words  bytes.Buffer // of the current paragraph

	hidden  atom.Atom // the current element whose content is not shown; 0: none
	heading int       // level of the current heading; 0: none
	title   bool
	pre     int
}

// next handles one token; false at the end.
func (r *pageReader) next() bool {
	switch r.tokens.Next() {
	case html.ErrorToken:
		return false
	case html.TextToken:
		r.addText(string(r.tokens.Text()))
	case html.StartTagToken:
		r.startTag()
	case html.EndTagToken:
		r.endTag()
	case html.SelfClosingTagToken:
		if r.name() == atom.Br {
			r.words.WriteByte('\n')
		}
	}
	return true
}

func (r *pageReader) name() atom.Atom {
	name, _ := r.tokens.TagName()
	return atom.Lookup(name)
}

// addText adds unescaped text. White space becomes one space, except in preformatted text.
func (r *pageReader) addText(s string) {
	switch {
	case r.hidden != 0:
	case r.title:
		r.text.title = strings.Join(strings.Fields(r.text.title+s), " ")
	case r.pre > 0:
		r.words.WriteString(s)
	default:
		words := strings.Join(strings.Fields(s), " ")
		if s != "" && strings.TrimLeft(s, " \t\n\r\f") != s {
			r.blank()
		}
		r.words.WriteString(words)
		if words != "" && strings.TrimRight(s, " \t\n\r\f") != s {
			r.blank()
		}
	}
}

func (r *pageReader) blank() {
	if b := r.words.Bytes(); len(b) > 0 && b[len(b)-1] != ' ' && b[len(b)-1] != '\n' {
		r.words.WriteByte(' ')
	}
}

func (r *pageReader) startTag() {
	name := r.name()
	switch {
	case r.hidden != 0:
	case isHidden(name):
		r.hidden = name
	case name == atom.Title:
		r.title = true
	case headingLevel(name) > 0:
		r.endParagraph()
		r.heading = headingLevel(name)
	case name == atom.Br:
		r.words.WriteByte('\n')
	case name == atom.Pre:
		r.endParagraph()
		r.pre++
	case name == atom.Td, name == atom.Th:
		r.blank()
	case isBlock(name):
		r.endParagraph()
	}
}

func (r *pageReader) endTag() {
	name := r.name()
	switch {
	case r.hidden != 0:
		if name == r.hidden {
			r.hidden = 0
		}
	case name == atom.Title:
		r.title = false
	case headingLevel(name) > 0:
		if r.heading > 0 {
			r.stack.open(r.heading, r.words.String())
			r.words.Reset()
		}
		r.heading = 0
	case name == atom.Pre:
		r.endParagraph()
		r.pre = max(0, r.pre-1)
	case isBlock(name):
		r.endParagraph()
	}
}

// endParagraph ends the current paragraph. Inside a heading it only adds a space.
func (r *pageReader) endParagraph() {
	if r.heading > 0 {
		r.blank()
		return
	}
	s := strings.Trim(r.words.String(), "\n")
	r.words.Reset()
	if strings.TrimSpace(s) == "" {
		return
	}
	r.add(block{headings: r.stack.names, text: strings.TrimRight(s, " \t\n"), code: r.pre > 0})
}

func isHidden(name atom.Atom) bool {
	switch name {
	case atom.Script, atom.Style, atom.Noscript, atom.Template, atom.Svg:
		return true
	}
	return false
}

func headingLevel(name atom.Atom) int {
	switch name {
	case atom.H1:
		return 1
	case atom.H2:
		return 2
	case atom.H3:
		return 3
	case atom.H4:
		return 4
	case atom.H5:
		return 5
	case atom.H6:
		return 6
	}
	return 0
}

func isBlock(name atom.Atom) bool {
	switch name {
	case atom.P, atom.Div, atom.Li, atom.Ul, atom.Ol, atom.Dl, atom.Dt, atom.Dd, atom.Table, atom.Tr,
		atom.Section, atom.Article, atom.Header, atom.Footer, atom.Main, atom.Aside, atom.Blockquote,
		atom.Figure, atom.Figcaption, atom.Hr, atom.Body:
		return true
	}
	return false
}
