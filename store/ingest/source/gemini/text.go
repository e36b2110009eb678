package gemini

import (
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// plain returns the text of an HTML fragment, with one line per paragraph.
func plain(s string) string {
	tokens := html.NewTokenizer(strings.NewReader(s))
	var w lineWriter
	for {
		kind := tokens.Next()
		if kind == html.ErrorToken {
			return strings.TrimSpace(strings.Join(w.done(), "\n"))
		}
		w.handleToken(kind, tokens.Token())
	}
}

// lineWriter collects the text of HTML in lines, as its tags divide it, with an empty line between paragraphs.
type lineWriter struct {
	lines []string
	line  strings.Builder
	pre   int
	skip  int // 1 inside an element that is not shown
}

func (w *lineWriter) handleToken(kind html.TokenType, t html.Token) {
	opens := kind == html.StartTagToken
	switch {
	case kind == html.TextToken:
		w.addText(t.Data)
	case t.DataAtom == atom.Script, t.DataAtom == atom.Style:
		w.skip = 0
		if opens {
			w.skip = 1
		}
	case t.DataAtom == atom.Br:
		w.lines = append(w.lines, w.line.String())
		w.line.Reset()
	case t.DataAtom == atom.Pre:
		w.endLine(opens)
		w.lines = append(w.lines, "```")
		if opens {
			w.pre++
		} else {
			w.pre = max(0, w.pre-1)
		}
	case t.DataAtom == atom.Li && opens:
		w.endLine(false)
		w.line.WriteString("- ")
	case t.DataAtom == atom.Td, t.DataAtom == atom.Th:
		w.line.WriteString(" ")
	case isBlock(t.DataAtom):
		w.endLine(t.DataAtom != atom.Li && t.DataAtom != atom.Tr && t.DataAtom != atom.Div)
	}
}

func (w *lineWriter) addText(s string) {
	switch {
	case w.skip > 0:
		return
	case w.pre > 0:
		before, last, several := cutLast(s)
		w.line.WriteString(before)
		if several {
			w.lines = append(w.lines, strings.Split(w.line.String(), "\n")...)
			w.line.Reset()
			w.line.WriteString(last)
		}
		return
	}
	// The no-break space between verb and prompt stays.
	words := strings.FieldsFunc(s, func(r rune) bool { return strings.ContainsRune(" \t\r\n\f", r) })
	joined := strings.Join(words, " ")
	spaced := w.line.Len() == 0 || strings.HasSuffix(w.line.String(), " ")
	if s != "" && strings.ContainsRune(" \t\r\n\f", rune(s[0])) && !spaced {
		w.line.WriteByte(' ')
	}
	w.line.WriteString(joined)
	if joined != "" && strings.ContainsRune(" \t\r\n\f", rune(s[len(s)-1])) {
		w.line.WriteByte(' ')
	}
}

// cutLast cuts s at its last line break.
func cutLast(s string) (before, last string, found bool) {
	i := strings.LastIndexByte(s, '\n')
	if i < 0 {
		return s, "", false
	}
	return s[:i], s[i+1:], true
}

// endLine ends the current line, and a paragraph by an empty line.
func (w *lineWriter) endLine(paragraph bool) {
	if line := w.line.String(); strings.TrimSpace(line) != "" {
		w.lines = append(w.lines, line)
	}
	w.line.Reset()
	if n := len(w.lines); paragraph && n > 0 && w.lines[n-1] != "" {
		w.lines = append(w.lines, "")
	}
}

func (w *lineWriter) empty() bool { return strings.TrimSpace(w.line.String()) == "" }

// done returns all lines.
func (w *lineWriter) done() []string {
	w.endLine(false)
	for i := range w.lines {
		w.lines[i] = strings.TrimRight(w.lines[i], " ")
	}
	return w.lines
}

func isBlock(name atom.Atom) bool {
	switch name {
	case atom.P, atom.Div, atom.Li, atom.Ul, atom.Ol, atom.Table, atom.Tr,
		atom.H1, atom.H2, atom.H3, atom.H4, atom.H5, atom.H6,
		atom.Blockquote, atom.Hr, atom.Section, atom.Article:
		return true
	}
	return false
}
