// Package chat draws the chat with a model that investigates the archive: questions, the steps for each, answers with
// their citations, and the input for the next question. It is pure: the explorer sends questions and delivers events.
//
// The rules are:
//
//   - Texts must be clean. Answers are Markdown, which is slow to render: Undrawn returns the work, to be done
//     outside the event loop.
//   - When an answer grows, only its changed blocks are rendered again.
//   - A number in brackets is a citation only if the exchange has a turn of that number.
package chat

import (
	"slices"
	"time"

	"lens/agent"
	"lens/tui/querybar"
	"lens/tui/theme"
)

// Pane is a chat and its input. The zero Pane is empty and scrolled to the end.
type Pane struct {
	Input querybar.Bar

	exchanges []*Exchange
	folded    bool // steps are folded into one line a question
	above     int  // lines scrolled out below; 0: the end is in view, and stays so
	total     int  // lines of the last View
	height    int  // of the last View
	seen      []seen
	sought    *Exchange // to scroll to
}

// seen is a line of the last View, to find what a click hit.
type seen struct {
	exchange *Exchange
	text     string
}

// Seek scrolls to the start of the i-th exchange as soon as it is drawn.
func (p *Pane) Seek(i int) {
	if i >= 0 && i < len(p.exchanges) {
		p.sought = p.exchanges[i]
	}
}

// Add begins an exchange and scrolls to it.
func (p *Pane) Add(question string, at time.Time) *Exchange {
	e := &Exchange{Question: question, Asked: at, State: Running}
	p.exchanges = append(p.exchanges, e)
	p.above = 0
	return e
}

// DropLast removes the last exchange.
func (p *Pane) DropLast() {
	if n := len(p.exchanges); n > 0 {
		p.exchanges = p.exchanges[:n-1]
	}
}

// Last returns the last exchange, nil without one.
func (p *Pane) Last() *Exchange {
	if len(p.exchanges) == 0 {
		return nil
	}
	return p.exchanges[len(p.exchanges)-1]
}

// Exchanges returns all exchanges, oldest first.
func (p *Pane) Exchanges() []*Exchange { return p.exchanges }

// Show replaces the exchanges.
func (p *Pane) Show(exchanges []*Exchange) {
	p.exchanges, p.above = exchanges, 0
}

// ToggleFold folds or unfolds the steps of all exchanges and reports whether they are folded now.
func (p *Pane) ToggleFold() (folded bool) {
	p.folded = !p.folded
	return p.folded
}

// Scroll moves by n lines, as far as there are any.
func (p *Pane) Scroll(n int) { p.above = max(0, min(p.above-n, p.total-p.height)) }

// ScrollPage moves by pages of the last View, with two lines of overlap.
func (p *Pane) ScrollPage(n int) { p.Scroll(n * max(1, p.height-2)) }

// Home goes to the first line, End to the last.
func (p *Pane) Home() { p.Scroll(-p.total) }

// End goes to the last line, and stays there while an answer grows.
func (p *Pane) End() { p.above = 0 }

// Cited returns the citation with a number, from the latest answer that has it.
func (p *Pane) Cited(n int) (agent.Citation, bool) {
	for i := len(p.exchanges) - 1; i >= 0; i-- {
		if c, ok := p.exchanges[i].cited(n); ok {
			return c, true
		}
	}
	return agent.Citation{}, false
}

// At returns the citation that was drawn at a cell of the last View.
func (p *Pane) At(x, y int) (agent.Citation, bool) {
	if y < 0 || y >= len(p.seen) || p.seen[y].exchange == nil {
		return agent.Citation{}, false
	}
	s := p.seen[y]
	for _, m := range s.exchange.marks(s.text) {
		if m.from <= x && x < m.to {
			return s.exchange.cited(m.n)
		}
	}
	return agent.Citation{}, false
}

// View draws height lines of width cells at the current scroll position.
func (p *Pane) View(width, height int, now time.Time, th theme.Theme) []string {
	var all []seen
	for _, e := range p.exchanges {
		for _, line := range e.lines(shape{width, th.Name, p.folded}, now, th) {
			all = append(all, seen{e, line})
		}
		all = append(all, seen{})
	}
	all = all[:max(0, len(all)-1)]
	if grown := len(all) - p.total; p.above > 0 && grown > 0 { // the lines in view stay where they are
		p.above += grown
	}
	p.total, p.height = len(all), height
	p.bring(all)
	p.Scroll(0)
	to := len(all) - p.above
	p.seen = all[max(0, to-height):to]
	lines := make([]string, len(p.seen))
	for i, s := range p.seen {
		lines[i] = s.text
	}
	return th.Block(lines, width, height) // fits only the visible lines
}

// bring scrolls to the exchange given to Seek, once its answer is drawn.
func (p *Pane) bring(all []seen) {
	if p.sought == nil {
		return
	}
	at := slices.IndexFunc(all, func(s seen) bool { return s.exchange == p.sought })
	p.above = max(0, len(all)-p.height-max(0, at))
	if slices.IndexFunc(p.exchanges, func(e *Exchange) bool { return e.body.whole != e.Answer() }) < 0 {
		p.sought = nil
	}
}

// promptWidth is the width of the prompt before the input.
const promptWidth = 2

// InputRows returns how many lines InputView needs, at most limit.
func (p *Pane) InputRows(width, limit int) int {
	lines, _, _ := p.Input.Lines(inputRoom(width))
	return max(1, min(len(lines), limit))
}

// inputRoom leaves a cell for the cursor behind the text.
func inputRoom(width int) int { return max(1, width-promptWidth-1) }

// RiseInput moves the cursor a line up, for -1 down; false when there is none.
func (p *Pane) RiseInput(width, n int) bool { return p.Input.Rise(inputRoom(width), n) }

// InputView draws the input in height lines of width cells and returns the position of the cursor. placeholder shows
// while the input is empty.
func (p *Pane) InputView(
	width, height int, focused bool, placeholder string, th theme.Theme,
) (lines []string, x, y int) {
	text, x, y := p.Input.Lines(inputRoom(width))
	top := max(0, min(y-height+1, len(text)-height))
	mark := th.Dim
	if focused {
		mark = th.Accent
	}
	for i := top; i < min(len(text), top+height); i++ {
		before := "  "
		if i == 0 {
			before = mark.Render(th.Glyphs.Path) + " "
		}
		lines = append(lines, before+text[i])
	}
	if p.Input.Text() == "" {
		lines[0] += th.Dim.Render(placeholder)
	}
	return th.Block(lines, width, height), x + promptWidth, y - top
}
