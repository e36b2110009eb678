package turn

import (
	"cmp"
	"fmt"
	"strings"
	"sync"

	"charm.land/lipgloss/v2"
	"github.com/charmbracelet/x/ansi"
	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	extast "github.com/yuin/goldmark/extension/ast"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"
	"github.com/yuin/goldmark/util"

	"lens/internal/cleantext"
	"lens/tui/theme"
)

// Markdown is parsed by goldmark and drawn here: structure by weight, indent and rules, code on a ground of its own.
// The input is clean, but Markdown can encode any character by number (&#27;) or name (&rlm;), so every text is cleaned
// again, and only safe links are shown.

// dialect parses Markdown as chats write it. It is made on first use, as it takes part of a millisecond.
var dialect = sync.OnceValue(func() parser.Parser {
	return goldmark.New(goldmark.WithExtensions(extension.GFM, extension.DefinitionList)).Parser()
})

// Markdown renders clean Markdown into lines of at most width cells. Text beyond the limits is only wrapped.
func Markdown(source string, width int, th theme.Theme) []string {
	text := cleantext.Columns(source)
	if cleantext.SlowMarkdown(text) {
		return wrapped(text, max(1, width))
	}
	return markdown(text, max(1, width), th).lines
}

// box is a block of lines.
type box struct {
	lines []string
	code  []int // lines on which blocks of code begin
	names []int // lines that name their languages
}

// add puts a box below, with a gap of empty lines.
func (b *box) add(below box, gap int) {
	if len(below.lines) == 0 {
		return
	}
	for range gap {
		b.lines = append(b.lines, "")
	}
	for _, at := range below.code {
		b.code = append(b.code, at+len(b.lines))
	}
	for _, at := range below.names {
		b.names = append(b.names, at+len(b.lines))
	}
	b.lines = append(b.lines, below.lines...)
}

// prefix puts one text before the first line, another before the others.
func (b box) prefix(first, others string) box {
	for i, line := range b.lines {
		switch {
		case i == 0:
			b.lines[i] = first + line
		case line == "":
			b.lines[i] = strings.TrimRight(others, " ")
		default:
			b.lines[i] = others + line
		}
	}
	return b
}

// drawer draws the parts of a document.
type drawer struct {
	source []byte
	math   []string // see withoutMath
	th     theme.Theme
	styles map[look]theme.Style
}

// markdown renders text into lines of at most width cells.
func markdown(source string, width int, th theme.Theme) box {
	source, math := withoutMath(source)
	w := &drawer{source: []byte(source), math: math, th: th, styles: map[look]theme.Style{}}
	b := w.blocks(dialect().Parse(text.NewReader(w.source)), width)
	for i, line := range b.lines {
		if theme.Width(line) > width { // a prefix that is as wide as the pane
			b.lines[i] = ansi.Truncate(line, width, "")
		}
	}
	return b
}

// leastInside is the least width of what is inside a list or a quote: where there is less, its prefix goes.
const leastInside = 8

// inside draws the children of a node behind a prefix.
func (w *drawer) inside(n ast.Node, first, others string, width int) box {
	room := width - max(theme.Width(first), theme.Width(others))
	if room < leastInside {
		return w.blocks(n, width)
	}
	b := w.blocks(n, room)
	if len(b.lines) == 0 {
		b.lines = []string{""}
	}
	return b.prefix(first, others)
}

// blocks draws the children of a node, one below the other.
func (w *drawer) blocks(parent ast.Node, width int) (all box) {
	for n := parent.FirstChild(); n != nil; n = n.NextSibling() {
		gap := w.gap(n)
		if len(all.lines) == 0 {
			gap = 0
		}
		all.add(w.block(n, width), gap)
	}
	return all
}

// gap returns how many empty lines are above a block.
func (w *drawer) gap(n ast.Node) int {
	before := n.PreviousSibling()
	if before == nil {
		return 0
	}
	switch {
	case before.Kind() == ast.KindHeading && n.Kind() != ast.KindHeading && !isCode(n):
		return 0
	case n.Kind() == ast.KindListItem, n.Kind() == extast.KindDefinitionTerm, n.Kind() == extast.KindDefinitionDescription:
		return 0
	case n.Kind() == ast.KindList && n.Parent().Kind() == ast.KindListItem:
		return 0
	}
	return 1
}

func isCode(n ast.Node) bool {
	return n.Kind() == ast.KindFencedCodeBlock || n.Kind() == ast.KindCodeBlock
}

func (w *drawer) block(n ast.Node, width int) box {
	switch n := n.(type) {
	case *ast.Heading:
		return w.heading(n, width)
	case *ast.FencedCodeBlock:
		return w.codeBlock(string(n.Language(w.source)), n, width)
	case *ast.CodeBlock:
		return w.codeBlock("", n, width)
	case *ast.Blockquote:
		bar := w.th.Rule.Render(w.th.Glyphs.Vertical) + " "
		return w.inside(n, bar, bar, width)
	case *ast.List:
		return w.list(n, width)
	case *ast.ThematicBreak:
		return box{lines: []string{w.th.Rule.Render(strings.Repeat(w.th.Glyphs.Horizontal, min(width, 8)))}}
	case *ast.HTMLBlock:
		raw := string(n.Lines().Value(w.source))
		if n.HasClosure() {
			raw += string(n.ClosureLine.Value(w.source))
		}
		return box{lines: w.wrap([]piece{{w.clean(strings.TrimRight(raw, "\n")), dim}}, width)}
	case *extast.Table:
		return w.table(n, width)
	case *extast.DefinitionDescription:
		return w.inside(n, "  ", "  ", width)
	case *extast.DefinitionTerm:
		return box{lines: w.wrap(w.inline(n, bold), width)}
	case *ast.Paragraph, *ast.TextBlock:
		return box{lines: w.wrap(w.inline(n, 0), width)}
	}
	return w.blocks(n, width)
}

// heading draws a heading by its rank: the first over a rule, the second in the color of the bars, the others dim.
func (w *drawer) heading(n *ast.Heading, width int) box {
	as := bold | dim
	switch n.Level {
	case 1:
		as = bold
	case 2:
		as = bold | accent
	}
	b := box{lines: w.wrap(w.inline(n, as), width)}
	if n.Level == 1 && len(b.lines) > 0 {
		widest := 0
		for _, line := range b.lines {
			widest = max(widest, theme.Width(line))
		}
		b.lines = append(b.lines, w.th.Bar.Render(strings.Repeat(w.th.Glyphs.Horizontal, widest)))
	}
	return b
}

func (w *drawer) list(n *ast.List, width int) (all box) {
	number := n.Start
	for item := n.FirstChild(); item != nil; item = item.NextSibling() {
		sign := w.th.Glyphs.Mark + " "
		if n.IsOrdered() {
			sign = fmt.Sprintf("%d%c ", number, n.Marker)
			number++
		}
		if box, ok := task(item); ok {
			sign = "[ ] "
			if box.IsChecked {
				sign = "[x] "
			}
		}
		all.add(w.inside(item, w.th.Dim.Render(sign), strings.Repeat(" ", theme.Width(sign)), width), 0)
	}
	return all
}

// task returns the box of an item that is a task.
func task(item ast.Node) (*extast.TaskCheckBox, bool) {
	if item.FirstChild() == nil || item.FirstChild().FirstChild() == nil {
		return nil, false
	}
	box, ok := item.FirstChild().FirstChild().(*extast.TaskCheckBox)
	return box, ok
}

// codeBlock draws code on a ground of its own, with its language at the right; without color behind a rule.
func (w *drawer) codeBlock(language string, n ast.Node, width int) box {
	code := strings.TrimRight(w.clean(string(n.Lines().Value(w.source))), "\n")
	language = ansi.Truncate(w.clean(language), max(0, width-4), "")
	margin, ground := "  ", w.th.Listing
	if w.th.Shaded {
		margin = w.th.Rule.Render(w.th.Glyphs.Vertical) + " "
	}
	line := func(drawn string) string {
		fill := strings.Repeat(" ", max(0, width-2-theme.Width(drawn)))
		if w.th.Shaded {
			return margin + drawn
		}
		return ground.Render(margin) + drawn + ground.Render(fill)
	}
	var b box
	if named := w.th.Dim.Render(language); language != "" || !w.th.Shaded {
		fill := strings.Repeat(" ", max(0, width-3-theme.Width(language)))
		if !w.th.Shaded {
			named = theme.Of(ground.Lipgloss().Foreground(w.th.Dim.Lipgloss().GetForeground())).Render(language + " ")
			fill = ground.Render(fill)
		}
		b.names = append(b.names, len(b.lines))
		b.lines = append(b.lines, strings.TrimRight(line(fill+named), " "))
	}
	began := false
	for _, pieces := range highlight(code, language) {
		for _, drawn := range w.codeLine(pieces, width-2) {
			if !began && strings.TrimSpace(ansi.Strip(drawn)) != "" {
				began = true
				b.code = append(b.code, len(b.lines))
			}
			b.lines = append(b.lines, line(drawn))
		}
	}
	if !began {
		b.code = append(b.code, max(0, len(b.lines)-1))
	}
	if !w.th.Shaded {
		b.lines = append(b.lines, line(""))
	}
	return b
}

// leastCode is the least width at which lines of code are marked where they are broken.
const leastCode = 12

// codeLine draws a line of code, broken into several if it is too long: between words unless that leaves a line half
// empty.
func (w *drawer) codeLine(pieces []piece, width int) (lines []string) {
	width = max(1, width)
	mark := ""
	if width >= leastCode {
		mark = w.th.Glyphs.Continued + " "
	}
	for first := true; ; first = false {
		room := width
		var out strings.Builder
		if !first {
			out.WriteString(w.style(block | dim).Render(mark))
			room -= theme.Width(mark)
		}
		var line []piece
		line, pieces = cut(pieces, room)
		for _, p := range line {
			out.WriteString(w.style(p.look).Render(p.text))
		}
		lines = append(lines, out.String())
		if len(pieces) == 0 {
			return lines
		}
	}
}

// cut divides a line of code where it is too long.
func cut(pieces []piece, room int) (line, rest []piece) {
	text := beginning(pieces, room)
	at := fitting(text, room)
	if at == len(text) {
		return pieces, nil
	}
	if space := strings.LastIndexByte(text[:at], ' ') + 1; space > at/2 {
		at = space
	}
	if at == 0 { // not even one character fits
		at = len(firstCluster(text))
	}
	return divided(pieces, at)
}

func plainOf(pieces []piece) string {
	var out strings.Builder
	for _, p := range pieces {
		out.WriteString(p.text)
	}
	return out.String()
}

// firstCluster returns the first character of a text that is not empty, as it is shown.
func firstCluster(s string) string {
	cluster, _, _, _ := ansi.DecodeSequence(s, ansi.NormalState, nil)
	return cluster
}

// look is how a piece of text looks.
type look uint16

const (
	bold look = 1 << iota
	italic
	struck
	underlined
	dim
	accent // the color of the bars
	code   // inside a sentence
	block  // in a block of code
	keyword
	literal
	number
	comment
	call
)

// piece is a text that looks the same.
type piece struct {
	text string
	look look
}

// style returns the style of a look.
func (w *drawer) style(l look) theme.Style {
	if l == 0 {
		return theme.Style{}
	}
	known, ok := w.styles[l]
	if !ok {
		known = w.newStyle(l)
		w.styles[l] = known
	}
	return known
}

func (w *drawer) newStyle(l look) theme.Style {
	for i, kind := range []look{keyword, literal, number, comment, call} {
		if l&kind != 0 {
			return w.th.Syntax[i]
		}
	}
	s := lipgloss.NewStyle()
	switch {
	case l&block != 0 && l&dim != 0 && !w.th.Shaded:
		s = w.th.Listing.Lipgloss().Foreground(w.th.Dim.Lipgloss().GetForeground())
	case l&dim != 0:
		s = w.th.Dim.Lipgloss()
	case l&block != 0:
		s = w.th.Listing.Lipgloss()
	case l&code != 0:
		s = w.th.Code.Lipgloss()
	case l&accent != 0:
		s = w.th.Bar.Lipgloss()
	}
	if l&bold != 0 {
		s = s.Bold(true)
	}
	if l&italic != 0 {
		s = s.Italic(true)
	}
	if l&struck != 0 {
		s = s.Strikethrough(true)
	}
	if l&underlined != 0 {
		s = s.Underline(true)
	}
	return theme.Of(s)
}

// clean cleans a text for the terminal, with its formulas in place.
func (w *drawer) clean(text string) string {
	return cleantext.Columns(cleantext.Text(w.withMath(text)))
}

// resolved returns the text that a piece of the source stands for.
func (w *drawer) resolved(source []byte) string {
	return w.clean(string(util.UnescapePunctuations(util.ResolveEntityNames(util.ResolveNumericReferences(source)))))
}

// inline returns the pieces of the text in a block.
func (w *drawer) inline(parent ast.Node, as look) (all []piece) {
	for n := parent.FirstChild(); n != nil; n = n.NextSibling() {
		switch n := n.(type) {
		case *ast.Text:
			value := n.Segment.Value(w.source)
			if n.IsRaw() {
				all = append(all, piece{w.clean(string(value)), as})
			} else {
				all = append(all, piece{w.resolved(value), as})
			}
			if n.SoftLineBreak() || n.HardLineBreak() {
				all = append(all, piece{"\n", as})
			}
		case *ast.String:
			all = append(all, piece{w.clean(string(n.Value)), as})
		case *ast.CodeSpan:
			all = append(all, piece{w.clean(strings.ReplaceAll(words(n, w.source), "\n", " ")), as | code})
		case *ast.Emphasis:
			all = append(all, w.inline(n, as|cmp.Or(map[int]look{1: italic}[n.Level], bold))...)
		case *extast.Strikethrough:
			all = append(all, w.inline(n, as|struck)...)
		case *ast.Link:
			all = append(all, w.link(n, as)...)
		case *ast.AutoLink:
			all = append(all, piece{w.clean(string(n.URL(w.source))), as | underlined})
		case *ast.Image:
			all = append(all, piece{"Image: ", as | dim})
			all = append(all, w.inline(n, as|dim)...)
		case *ast.RawHTML:
			raw := string(n.Segments.Value(w.source))
			if strings.HasPrefix(strings.ToLower(raw), "<br") {
				raw = "\n"
			}
			all = append(all, piece{w.clean(raw), as | dim})
		case *extast.TaskCheckBox:
		default:
			all = append(all, w.inline(n, as)...)
		}
	}
	return all
}

// link returns the text of a link and, if that is another one, its address.
func (w *drawer) link(n *ast.Link, as look) []piece {
	shown := w.inline(n, as|underlined)
	url := string(n.Destination)
	if !cleantext.SafeURL(url) || strings.TrimSpace(plainOf(shown)) == url {
		return shown
	}
	return append(shown, piece{" ", as}, piece{w.clean(url), as | dim})
}
