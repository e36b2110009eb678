package agent

import "strings"

// coding follows where an answer is code, as CommonMark has it. Code is not checked for citations, so whatever is not clear counts as
// prose: after a backtick that nothing closes in its line, the rest of the paragraph; once blocks of code cannot be told apart (in quotations
// and deep lists, between tildes), the rest of the answer. HTML there is none: see Gate.
type codeTracker struct {
	fence  int  // backticks that opened the block that this is in; 0: none
	indent int  // columns before them
	span   int  // backticks that opened the code inside the line; 0: none
	column int  // where the next character stands, while the line is blank
	nonBlank  bool // the line is not blank
	tildes int  // just before this

	ambiguousParagraph bool // what is code in this paragraph
	ambiguousAnswer    bool // what is code in this answer
}

// ticks is what a run of backticks does.
type backtickEffect int

const (
	undecided backtickEffect = iota
	literal
	openBlock
	closeBlock
	openSpan
	closeSpan
	tooManyBackticks
)

func (c *codeTracker) inCode() bool { return c.fence > 0 || c.span > 0 }

// meet comes before each character: a line further left than the fence ends the block, with what it stands in.
func (c *codeTracker) before(r rune) {
	if c.fence > 0 && !c.nonBlank && c.column < c.indent && !strings.ContainsRune(" \t\r\n", r) {
		c.fence, c.ambiguousAnswer = 0, true
	}
}

// see takes a character that has passed.
func (c *codeTracker) advance(r rune) {
	if c.tildes++; r != '~' {
		c.tildes = 0
	}
	c.ambiguousAnswer = c.ambiguousAnswer || !c.inCode() && c.tildes == 3
	switch {
	case r == '\n':
		c.ambiguousParagraph = c.ambiguousParagraph && c.nonBlank
		c.column, c.nonBlank, c.span = 0, false, 0
	case r == ' ' && !c.nonBlank:
		c.column++
	case r == '\t' && !c.nonBlank:
		c.column += 4
	default:
		c.nonBlank = true
	}
}

// longestSpan is how far the end of code inside a line may be, in bytes, and an opening fence that of its line.
const maxSpanBytes = 400

// longestRun is how many backticks are told apart from more.
const maxBackticks = 400

// decide returns how many backticks s begins with, and what they do.
func (c *codeTracker) decide(s string, final bool) (run int, effect backtickEffect) {
	begins := s[:min(len(s), maxBackticks+1)]
	run = len(begins) - len(strings.TrimLeft(begins, "`"))
	if run > maxBackticks {
		return run, tooManyBackticks
	}
	line, _, ended := strings.Cut(s[run:], "\n")
	ended = ended || final
	long := len(line) > maxSpanBytes
	if long {
		line = line[:maxSpanBytes]
	}
	switch {
	case run == len(s) && !final:
		return run, undecided
	case c.ambiguousAnswer, c.fence > 0 && (c.nonBlank || run < c.fence || strings.TrimSpace(line) != ""), c.span > 0 && c.span != run:
		return run, literal
	case c.span > 0:
		return run, closeSpan
	}
	closed, clear := c.spanEnds(line, run, ended && !long)
	switch {
	case c.fence == 0 && closed:
		return run, openSpan
	case !ended && !long && (!clear || run >= 3 && !c.nonBlank):
		return run, undecided
	case c.fence > 0:
		return run, closeBlock
	case run >= 3 && !c.nonBlank && c.column < 4 && !long && !strings.Contains(line, "`"):
		return run, openBlock
	}
	return run, literal
}

// spanEnds reports whether code that run backticks open ends in the line, and whether that is clear before all of the line has come.
func (c *codeTracker) spanEnds(line string, run int, ended bool) (closed, clear bool) {
	if c.ambiguousParagraph {
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
func (c *codeTracker) apply(run, column int, effect backtickEffect) {
	switch effect {
	case openBlock:
		c.fence, c.indent = run, column
	case closeBlock:
		c.fence = 0
	case openSpan:
		c.span = run
	case closeSpan:
		c.span = 0
	case tooManyBackticks:
		c.fence, c.span, c.ambiguousAnswer = 0, 0, true
	case literal:
		c.ambiguousParagraph = c.ambiguousParagraph || !c.inCode()
		c.ambiguousAnswer = c.ambiguousAnswer || !c.inCode() && run >= 3
	}
}
