package chat

import (
	"slices"
	"time"

	"lens/agent"
	"lens/tui/theme"
)

// Transcript draws exchanges. It is pure, and its texts must be clean. The zero Transcript is empty and scrolled to the
// end. Answers are Markdown, which is slow to render: Undrawn returns the work, to be done outside the event loop.
type Transcript struct {
	Retry string // the key that asks again, for texts
	Dense bool   // the sources of an answer are on one line, which stays in view

	exchanges []*Exchange
	unfolded  bool // the steps of an answer that has ended have lines of their own
	above     int  // lines scrolled out below; 0: the end is in view, and stays so; < 0: so many are empty
	total     int  // lines of the last Lay
	height    int  // of the last Lay
	seen      []seen
	sourced   bool      // the last line in view has the sources of an answer that is cut above it
	growing   *Exchange // whose answer is awaited
	held      hold
}

// hold keeps the start of an exchange in view, whatever the size, until the person scrolls or asks. The zero hold keeps
// nothing.
type hold struct {
	of       *Exchange
	answered bool // the start of the answer, below the question in a line, where nothing of it would fit below all of it
}

// seen is a line of the last Lay, to find what a click hit.
type seen struct {
	exchange *Exchange
	text     string
}

// Seek scrolls to the start of the i-th exchange.
func (t *Transcript) Seek(i int) {
	if i >= 0 && i < len(t.exchanges) {
		t.held = hold{of: t.exchanges[i]}
	}
}

// Add begins an exchange and scrolls to it. Of two that were asked at the same time, one was later.
func (t *Transcript) Add(question string, at time.Time) *Exchange {
	for slices.ContainsFunc(t.exchanges, func(e *Exchange) bool { return e.Asked.Equal(at) }) {
		at = at.Add(time.Nanosecond)
	}
	e := &Exchange{Question: question, Asked: at, State: Running}
	t.exchanges = append(t.exchanges, e)
	t.growing = e
	t.End()
	return e
}

// DropLast removes the last exchange.
func (t *Transcript) DropLast() {
	if n := len(t.exchanges); n > 0 {
		t.exchanges = t.exchanges[:n-1]
	}
}

// Last returns the last exchange, nil without one.
func (t *Transcript) Last() *Exchange {
	if len(t.exchanges) == 0 {
		return nil
	}
	return t.exchanges[len(t.exchanges)-1]
}

// Exchanges returns all exchanges, oldest first.
func (t *Transcript) Exchanges() []*Exchange { return t.exchanges }

// Show replaces the exchanges, and scrolls to the last answer.
func (t *Transcript) Show(exchanges []*Exchange) {
	t.exchanges = exchanges
	t.End()
	t.growing = t.Last()
}

// ToggleFold unfolds or folds the steps of the exchanges that have ended.
func (t *Transcript) ToggleFold() { t.unfolded = !t.unfolded }

// Scroll moves by n lines, as far as there are any.
func (t *Transcript) Scroll(n int) {
	t.held = hold{}
	t.move(n)
}

func (t *Transcript) move(n int) { t.above = max(0, min(t.above-n, t.total-t.height)) }

// ScrollPage moves by pages of the last Lay, with two lines of overlap.
func (t *Transcript) ScrollPage(n int) { t.Scroll(n * max(1, t.height-2)) }

// Home goes to the first line, End to the last.
func (t *Transcript) Home() { t.Scroll(-t.total) }

// End goes to the last line, and stays there while an answer grows.
func (t *Transcript) End() { t.above, t.held = 0, hold{} }

// Cited returns the citation with a number, from the latest answer that has it.
func (t *Transcript) Cited(n int) (agent.Citation, bool) {
	for i := len(t.exchanges) - 1; i >= 0; i-- {
		if c, ok := t.exchanges[i].cited(n); ok {
			return c, true
		}
	}
	return agent.Citation{}, false
}

// citations returns those of the last answer that has some.
func (t *Transcript) citations() []agent.Citation {
	for i := len(t.exchanges) - 1; i >= 0; i-- {
		if all := t.exchanges[i].Citations; len(all) > 0 {
			return all
		}
	}
	return nil
}

// At returns the citation at a cell of View.
func (t *Transcript) At(x, y int) (agent.Citation, bool) {
	if y < 0 || y >= len(t.seen) || t.seen[y].exchange == nil {
		return agent.Citation{}, false
	}
	s := t.seen[y]
	for _, m := range s.exchange.marks(s.text) {
		if m.from <= x && x < m.to {
			return s.exchange.cited(m.n)
		}
	}
	return agent.Citation{}, false
}

// Lay lays out height lines of width cells at the current scroll position, for View. It is due after any change.
func (t *Transcript) Lay(width, height int, now time.Time, th theme.Theme) {
	var all []seen
	for _, e := range t.exchanges {
		lines := e.lines(t.shape(width, th), now, th)
		for i, line := range lines {
			if i != e.laid.answer-1 || line != "" || !e.laid.isTight(height) {
				all = append(all, seen{e, line})
			}
		}
		all = append(all, seen{})
	}
	all = all[:max(0, len(all)-1)]
	if grown := len(all) - t.total; t.above > 0 && grown > 0 { // the lines in view stay where they are
		t.above += grown
	}
	t.total, t.height = len(all), height
	t.settle()
	if !t.bring(all, width, th) {
		t.move(0)
	}
	to := len(all) - t.above
	t.seen = all[max(0, to-height):min(to, len(all))]
	t.keepSources()
}

// sourcedFrom is the least height in which the sources stay in view.
const sourcedFrom = 6

// keepSources puts the line of sources of an answer that is cut in place of the last one in view.
func (t *Transcript) keepSources() {
	end := len(t.seen) - 1
	t.sourced = false
	if !t.Dense || t.height < sourcedFrom || end < t.height-1 || t.seen[end].exchange == nil {
		return
	}
	if e := t.seen[end].exchange; e.laid.sourced {
		sources := e.laid.lines[len(e.laid.lines)-1]
		t.sourced = t.seen[end].text != sources
		t.seen = slices.Clone(t.seen)
		t.seen[end].text = sources
	}
}

// Below returns how many lines are scrolled out below.
func (t *Transcript) Below() int { return max(0, t.above) }

// needs returns how many lines the last exchange takes.
func (t *Transcript) needs(width int, now time.Time, th theme.Theme) int {
	return len(t.Last().lines(t.shape(width, th), now, th))
}

func (t *Transcript) shape(width int, th theme.Theme) shape {
	return shape{width, th.Name, t.unfolded, t.Dense, t.Retry}
}

// View draws the lines of the last Lay.
func (t *Transcript) View(width, height int, th theme.Theme) []string {
	lines := make([]string, len(t.seen))
	for i, s := range t.seen {
		lines[i] = s.text
	}
	return th.Block(lines, width, height) // fits only the visible lines
}

// settle turns from the end of an answer to its start when it is complete, unless the person has scrolled.
func (t *Transcript) settle() {
	e := t.growing
	if e == nil || e.State == Running {
		return
	}
	if t.growing = nil; e.State == Answered && t.above == 0 && t.held.of == nil {
		t.held = hold{e, true}
	}
}

// bring scrolls to what is held, even if that leaves room below. It reports whether something is.
func (t *Transcript) bring(all []seen, width int, th theme.Theme) bool {
	e := t.held.of
	at := slices.IndexFunc(all, func(s seen) bool { return s.exchange == e && e != nil })
	if at < 0 {
		return false
	}
	if answer := e.laid.answerIn(t.height); t.held.answered && !t.unfolded && answer >= t.height {
		if at += answer; t.height >= askedFrom {
			at--
			all[at].text = e.questionLine(width, th)
		}
	}
	t.above = len(all) - t.height - at
	return true
}

// askedFrom is the least height that has room for the question in a line above the start of its answer.
const askedFrom = 3
