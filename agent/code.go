package agent

import "strings"

// coding follows where an answer is code, as CommonMark has it. Code is not checked for citations, so whatever is not clear counts as
// prose: after a backtick that nothing closes in its line, the rest of the paragraph; once blocks of code cannot be told apart (in quotations
// and deep lists, between tildes), the rest of the answer. HTML there is none: see Gate.
type coding struct {
	fence  int  // backticks that opened the block that this is in; 0: none
	indent int  // columns before them
	span   int  // backticks that opened the code inside the line; 0: none
	column int  // where the next character stands, while the line is blank
	begun  bool // the line is not blank
	tildes int  // just before this

	unclear bool // what is code in this paragraph
	lost    bool // what is code in this answer
}

// ticks is what a run of backticks does.
type ticks int

const (
	undecided ticks = iota
	literal
	openBlock
	closeBlock
	openSpan
	closeSpan
	tooMany
)

func (c *coding) on() bool { return c.fence > 0 || c.span > 0 }

// meet comes before each character: a line further left than the fence ends the block, with what it stands in.
func (c *coding) meet(r rune) {
	if c.fence > 0 && !c.begun && c.column < c.indent && !strings.ContainsRune(" \t\r\n", r) {
		c.fence, c.lost = 0, true
	}
}

// see takes a character that has passed.
func (c *coding) see(r rune) {
	if c.tildes++; r != '~' {
		c.tildes = 0
	}
	c.lost = c.lost || !c.on() && c.tildes == 3
	switch {
	case r == '\n':
		c.unclear = c.unclear && c.begun
		c.column, c.begun, c.span = 0, false, 0
	case r == ' ' && !c.begun:
		c.column++
	case r == '\t' && !c.begun:
		c.column += 4
	default:
		c.begun = true
	}
}

// longestSpan is how far the end of code inside a line may be, in bytes, and an opening fence that of its line.
const longestSpan = 400

// longestRun is how many backticks are told apart from more.
const longestRun = 400

// decide returns how many backticks s begins with, and what they do.
func (c *coding) decide(s string, final bool) (run int, does ticks) {
	begins := s[:min(len(s), longestRun+1)]
	run = len(begins) - len(strings.TrimLeft(begins, "`"))
	if run > longestRun {
		return run, tooMany
	}
	line, _, ended := strings.Cut(s[run:], "\n")
	ended = ended || final
	long := len(line) > longestSpan
	if long {
		line = line[:longestSpan]
	}
	switch {
	case run == len(s) && !final:
		return run, undecided
	case c.lost, c.fence > 0 && (c.begun || run < c.fence || strings.TrimSpace(line) != ""), c.span > 0 && c.span != run:
		return run, literal
	case c.span > 0:
		return run, closeSpan
	}
	closed, clear := c.spanEnds(line, run, ended && !long)
	switch {
	case c.fence == 0 && closed:
		return run, openSpan
	case !ended && !long && (!clear || run >= 3 && !c.begun):
		return run, undecided
	case c.fence > 0:
		return run, closeBlock
	case run >= 3 && !c.begun && c.column < 4 && !long && !strings.Contains(line, "`"):
		return run, openBlock
	}
	return run, literal
}

// spanEnds reports whether code that run backticks open ends in the line, and whether that is clear before all of the line has come.
func (c *coding) spanEnds(line string, run int, ended bool) (closed, clear bool) {
	if c.unclear {
		return false, true
	}
	for at := 0; at < len(line); at++ {
		switch n := len(line[at:]) - len(strings.TrimLeft(line[at:], "`")); {
		case line[at] == '|': // may part cells of a table
			return false, true
		case n == run && (at+n < len(line) || ended):
			return true, true
		case n > 0:
			at += n - 1
		}
	}
	return false, false
}

// take makes a run of backticks do what was decided, after it has passed.
func (c *coding) take(run, column int, does ticks) {
	switch does {
	case openBlock:
		c.fence, c.indent = run, column
	case closeBlock:
		c.fence = 0
	case openSpan:
		c.span = run
	case closeSpan:
		c.span = 0
	case tooMany:
		c.fence, c.span, c.lost = 0, 0, true
	case literal:
		c.unclear = c.unclear || !c.on()
		c.lost = c.lost || !c.on() && run >= 3
	}
}
