package agent

import "strings"

// codeTracker tracks which parts of a streamed answer are code, following CommonMark. Citations in code are
// not checked, so unclear cases count as prose: after an unclosed backtick, the rest of the paragraph; where
// code blocks become ambiguous (in quotations and deep lists, between tildes), the rest of the answer. HTML
// never occurs: see CitationFilter.
type codeTracker struct {
	fence    int // backticks that opened the current block; 0: none
	indent   int // columns before them
	span     int // backticks that opened the current code span; 0: none
	column   int // column of the next character, while the line is blank
	nonBlank bool
	tildes   int // directly before the next character

	ambiguousParagraph bool // the rest of the paragraph counts as prose
	ambiguousAnswer    bool // the rest of the answer counts as prose
}

// backtickEffect is what a run of backticks does.
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

// before is called before each character: a line that is indented less than the fence ends the block and its
// container.
func (c *codeTracker) before(r rune) {
	if c.fence > 0 && !c.nonBlank && c.column < c.indent && !strings.ContainsRune(" \t\r\n", r) {
		c.fence, c.ambiguousAnswer = 0, true
	}
}

// advance is called after each character that was emitted.
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

// maxSpanBytes is how far away the end of a code span, or of an opening fence's line, may be.
const maxSpanBytes = 400

// maxBackticks is the longest run of backticks that is parsed.
const maxBackticks = 400

// decide returns the length of the backtick run that s begins with, and its effect.
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
	case c.ambiguousAnswer,
		c.fence > 0 && (c.nonBlank || run < c.fence || strings.TrimSpace(line) != ""),
		c.span > 0 && c.span != run:
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

// spanEnds reports whether a code span opened by run backticks ends in the line, and whether that is clear
// before the line is complete.
func (c *codeTracker) spanEnds(line string, run int, ended bool) (closed, clear bool) {
	if c.ambiguousParagraph {
		return false, true
	}
	for at := 0; at < len(line); at++ {
		switch n := len(line[at:]) - len(strings.TrimLeft(line[at:], "`")); {
		case line[at] == '|': // may separate table cells
			return false, true
		case n == run && (at+n < len(line) || ended):
			return true, true
		case n > 0:
			at += n - 1
		}
	}
	return false, false
}

// apply applies the effect of a run of backticks after it was emitted.
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
