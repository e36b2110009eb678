package agent

import (
	"slices"
	"strings"
	"unicode/utf8"
)

// Gate is what every answer goes through on its way to a face, as it streams. Its rules are:
//
//   - [n], [n, m], [n-m], 【n】 and [turn id] are citations, wherever they stand outside code. They leave as [n], one by one, where
//     turns[n-1] was hydrated; every other one is removed and reported.
//   - A full turn id in the text, also in code, stays when that turn was hydrated or says it itself; else it is removed and reported.
//   - A quotation (in quotation marks, or a block of >) is compared with the turns that are cited beside it: after it, or before it in its
//     paragraph; with every hydrated turn where none is. White space, bold and the shape of quotation marks do not count, an ellipsis
//     may leave something out. One that differs is followed by Differs.
//   - Nothing that a renderer would fetch remains: ![ becomes ! [, and a citation cannot become a link.
//
// What passes does not depend on how the text was cut into deltas, and lags behind by one citation at most. A Gate is made by NewGate.
type Gate struct {
	turns   []*Turn
	verdict Verdict
	quotes  quoting

	held      string // not decided yet
	out       strings.Builder
	code      int  // backticks that opened the code that this is in; 0: prose
	last      rune // that passed; 0 at the beginning
	cited     bool // a citation was the last to pass
	lineCited bool // and began its line
}

// Differs follows a quotation that does not stand so in its turn.
const Differs = " (not verbatim)"

// unread stands where an id was that names nothing that was read.
const unread = "(unread)"

// Verdict is what the gate found in an answer.
type Verdict struct {
	Cited   []int    // by first mention, each once
	Removed []string // as they stood there, in order
	Quotes  []Quote  // in the order in which they were settled
}

// NewGate returns a gate before an answer. turns are those that were hydrated: [n] is turns[n-1].
func NewGate(turns []*Turn) *Gate {
	g := &Gate{turns: turns}
	g.quotes.verify = newVerifier(turns)
	return g
}

// Check sends a whole answer through a gate.
func Check(answer string, turns []*Turn) (string, Verdict) {
	g := NewGate(turns)
	head := g.Write(answer)
	tail, verdict := g.Close()
	return head + tail, verdict
}

// Write takes more of the answer and returns what may be shown by now.
func (g *Gate) Write(delta string) string { return g.pass(delta, false) }

// Close returns the rest, and the verdict over all.
func (g *Gate) Close() (string, Verdict) {
	rest := g.pass("", true)
	g.out.Reset()
	g.settle(g.quotes.finish())
	rest += g.out.String()
	g.verdict.Quotes = g.quotes.settled
	return rest, g.verdict
}

// Verdict is what was found so far.
func (g *Gate) Verdict() Verdict { return g.verdict }

func (g *Gate) pass(delta string, final bool) string {
	g.out.Reset()
	g.held += delta
	for g.held != "" {
		used := g.step(g.held, final)
		if used == 0 {
			break
		}
		g.held = g.held[used:]
	}
	return g.out.String()
}

// step passes on, changes or drops what s begins with and returns its length; 0 when that cannot be decided before more has come.
func (g *Gate) step(s string, final bool) int {
	if !final && !utf8.FullRuneInString(s) {
		return 0
	}
	r, size := utf8.DecodeRuneInString(s)
	if isHex(r) && !isWordy(g.last) {
		if used, decided := g.id(s, final); used > 0 || !decided {
			return used
		}
	}
	switch {
	case r == '`':
		return g.backticks(s, final)
	case g.code > 0:
	case r == '[' || r == '【':
		return g.bracket(s, final)
	case r == '!':
		return g.bang(s, final)
	case r == ' ' && g.cited && len(s) == 1 && !final:
		return 0 // another citation may follow
	case r == ' ' && g.cited && strings.HasPrefix(s[1:], "["):
		g.out.WriteByte(' ')
		g.last = ' '
		return 1
	}
	g.emit(r, s[:size])
	return size
}

// emit passes a character on.
func (g *Gate) emit(r rune, raw string) {
	if g.cited {
		g.cited = false
		g.settle(g.quotes.groupEnds())
		if r == '(' || r == '[' || r == ':' && g.lineCited { // would make a link of it
			g.out.WriteByte(' ')
		}
	}
	if g.code == 0 {
		g.settle(g.quotes.see(r))
	}
	if r == '\n' && g.last == '\n' && g.code < 3 {
		g.code = 0 // code inside a line does not outlive its paragraph
	}
	g.out.WriteString(raw)
	g.last = r
}

// settle marks quotations that were found to differ.
func (g *Gate) settle(differs bool) {
	if differs {
		g.out.WriteString(Differs)
	}
}

// backticks opens or closes code.
func (g *Gate) backticks(s string, final bool) int {
	run := len(s) - len(strings.TrimLeft(s, "`"))
	if run == len(s) && !final {
		return 0
	}
	for range run {
		g.emit('`', "`")
	}
	switch {
	case g.code == 0:
		g.code = run
	case g.code == run || g.code >= 3 && run >= g.code:
		g.code = 0
	}
	return run
}

// bang keeps ![ from being an image.
func (g *Gate) bang(s string, final bool) int {
	if len(s) == 1 && !final {
		return 0
	}
	g.emit('!', "!")
	if strings.HasPrefix(s[1:], "[") {
		g.emit(' ', " ")
	}
	return 1
}

// id passes a turn id that is known and drops one that is not. It says 0 and true for what is no id.
func (g *Gate) id(s string, final bool) (used int, decided bool) {
	n, complete := idPrefix(s)
	if !complete {
		return 0, final || n < len(s)
	}
	if n == len(s) && !final {
		return 0, false
	}
	if next, _ := utf8.DecodeRuneInString(s[n:]); n < len(s) && isWordy(next) {
		return 0, true
	}
	id := strings.ToLower(s[:n])
	if g.numberOf(id) > 0 || g.quotes.verify.says(id) {
		for _, r := range s[:n] {
			g.emit(r, string(r))
		}
		return n, true
	}
	g.verdict.Removed = append(g.verdict.Removed, s[:n])
	for _, r := range unread {
		g.emit(r, string(r))
	}
	return n, true
}

// numberOf returns the number of the one hydrated turn whose id begins with prefix, 0 for none and for several.
func (g *Gate) numberOf(prefix string) int {
	number := 0
	for i, t := range g.turns {
		if strings.HasPrefix(t.ID, prefix) {
			if number > 0 {
				return 0
			}
			number = i + 1
		}
	}
	return number
}

// bracket passes the citations in a pair of brackets, drops those that name nothing, and leaves alone what is no citation.
func (g *Gate) bracket(s string, final bool) int {
	inside, used, decided := bracketed(s)
	switch {
	case used == 0 && !decided && !final:
		return 0
	case used == 0:
		r, size := utf8.DecodeRuneInString(s)
		g.emit(r, s[:size])
		return size
	}
	items := citations(inside)
	if len(items) == 0 {
		g.emit('[', s[:utf8.RuneLen(firstRune(s))])
		return utf8.RuneLen(firstRune(s))
	}
	for _, item := range items {
		numbers := item.numbers
		if item.id != "" {
			numbers = []int{g.numberOf(item.id)}
		}
		for _, n := range numbers {
			g.cite(n, item.raw)
		}
	}
	return used
}

func firstRune(s string) rune { r, _ := utf8.DecodeRuneInString(s); return r }

// cite passes one citation, or removes it.
func (g *Gate) cite(n int, raw string) {
	if n < 1 || n > len(g.turns) {
		g.verdict.Removed = append(g.verdict.Removed, "["+raw+"]")
		if isHex(g.last) || strings.ContainsRune("[-!", g.last) { // what it stood between must not become something new
			g.emit(' ', " ")
		}
		return
	}
	if !g.cited {
		g.lineCited = g.last == '\n' || g.last == 0
	}
	if !slices.Contains(g.verdict.Cited, n) {
		g.verdict.Cited = append(g.verdict.Cited, n)
	}
	g.out.WriteString("[" + itoa(n) + "]")
	g.last, g.cited = ']', true
	g.quotes.cite(n)
}

func isHex(r rune) bool {
	return '0' <= r && r <= '9' || 'a' <= r && r <= 'f' || 'A' <= r && r <= 'F'
}

// isWordy reports whether r is of a longer word of ids' own letters, so that what follows or precedes it is no id of its own. Beside any
// other letter an id still reads as one.
func isWordy(r rune) bool { return '0' <= r && r <= '9' || 'a' <= r|0x20 && r|0x20 <= 'z' }
