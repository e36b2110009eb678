package chat

import (
	"slices"
	"strings"

	"lens/tui/theme"
)

// Body is an answer rendered into lines. It is immutable: a longer answer gets a new Body, which reuses the unchanged
// blocks. The zero Body is empty.
type Body struct {
	shape  shape
	blocks []block
	whole  string
}

// block is a piece of Markdown that is rendered on its own.
type block struct {
	source string
	lines  []string
}

// longestAnswer is the longest text, in bytes, that is split into blocks. A longer one goes to the renderer whole,
// which has its own limits.
const longestAnswer = 256 << 10

// Render renders Markdown into lines of at most width cells.
type Render func(markdown string, width int, th theme.Theme) []string

// Lines returns the lines, an empty one between blocks.
func (b Body) Lines() []string {
	var lines []string
	for i, block := range b.blocks {
		if i > 0 {
			lines = append(lines, "")
		}
		lines = append(lines, block.lines...)
	}
	return lines
}

// next returns the body of text.
func (b Body) next(text string, width int, th theme.Theme, render Render) Body {
	after := Body{shape: shape{width: width, theme: th.Name}, whole: text}
	for i, source := range blocksOf(text) {
		if i < len(b.blocks) && b.shape == after.shape && b.blocks[i].source == source {
			after.blocks = append(after.blocks, b.blocks[i])
			continue
		}
		after.blocks = append(after.blocks, block{source, render(source, width, th)})
	}
	return after
}

// Drawing is rendering work to be done outside the event loop.
type Drawing struct {
	width int
	theme theme.Theme
	todo  []drawn
}

type drawn struct {
	exchange *Exchange
	text     string
	body     Body
}

// Undrawn returns the answers to render for a pane of width cells, latest first; false when there are none.
func (t *Transcript) Undrawn(width int, th theme.Theme) (Drawing, bool) {
	d := Drawing{width: width, theme: th}
	for _, e := range slices.Backward(t.exchanges) {
		if wanted := (shape{width: width, theme: th.Name}); e.body.shape != wanted || e.body.whole != e.Answer() {
			d.todo = append(d.todo, drawn{e, e.Answer(), e.body})
		}
	}
	return d, len(d.todo) > 0
}

// Draw renders. It is safe to call from any goroutine and takes milliseconds a kilobyte.
func (d Drawing) Draw(render Render) Drawing {
	done := d
	done.todo = nil
	for _, t := range d.todo {
		t.body = t.body.next(t.text, d.width, d.theme, render)
		done.todo = append(done.todo, t)
	}
	return done
}

// Put stores the rendered answers in their exchanges.
func (d Drawing) Put() {
	for _, t := range d.todo {
		t.exchange.body = t.body
		t.exchange.revision++
	}
}

// blocksOf splits Markdown at empty lines that are outside code and do not continue a list. This breaks references
// between blocks on purpose: a citation must not become a link.
func blocksOf(text string) []string {
	if len(text) > longestAnswer {
		return []string{text}
	}
	var blocks []string
	from, at, fence := 0, 0, ""
	blank, list := false, false
	for line := range strings.Lines(text) {
		trimmed := strings.TrimSpace(line)
		switch {
		case fence != "":
			if strings.HasPrefix(trimmed, fence) && strings.Trim(trimmed, fence[:1]) == "" {
				fence = ""
			}
		case trimmed == "":
			blank = true
		default:
			if blank && line[0] != ' ' && line[0] != '\t' && !(list && isItem(line)) {
				blocks = append(blocks, text[from:at])
				from, list = at, false
			}
			blank = false
			list = list || isItem(line)
			fence = fenceOf(trimmed)
		}
		at += len(line)
	}
	if strings.TrimSpace(text[from:]) != "" {
		blocks = append(blocks, text[from:])
	}
	return blocks
}

// fenceOf returns the code fence that a line opens, "" for none.
func fenceOf(line string) string {
	for _, mark := range []string{"`", "~"} {
		n := len(line) - len(strings.TrimLeft(line, mark))
		if n >= 3 && !(mark == "`" && strings.Contains(line[n:], mark)) {
			return line[:n]
		}
	}
	return ""
}

// isItem reports whether a line begins a list item.
func isItem(line string) bool {
	rest := strings.TrimLeft(line, "0123456789")
	if n := len(line) - len(rest); n > 0 && n < 10 {
		return strings.HasPrefix(rest, ". ") || strings.HasPrefix(rest, ") ")
	}
	return strings.HasPrefix(line, "- ") || strings.HasPrefix(line, "* ") || strings.HasPrefix(line, "+ ")
}
