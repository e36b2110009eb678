package agent

import (
	"slices"
	"strings"
	"unicode/utf8"
)

// Gate is what every answer goes through on its way to a face, as it streams. Its rules are:
//
//   - [n], [n, m], [n-m], [n and m], [Source n], \[n\], 【n】 and [turn id] are citations, wherever they stand outside code. They leave as
//     [n], one by one, where turns[n-1] was hydrated; every other one is removed and reported, and the space before it where no word follows.
//   - A full turn id in the text, also in code, stays when that turn was hydrated or says it itself; else it is removed and reported.
//   - A quotation (in quotation marks, or a block of >) is compared with the turns that are cited beside it: after it, or before it in its
//     paragraph; with every hydrated turn where none is. White space, bold and the shape of quotation marks do not count, an ellipsis
//     may leave something out. One that differs is followed by Differs.
//   - Nothing remains that a renderer would fetch: ![ becomes ! [, <b becomes < b, and a citation cannot become a link. Nor does one make a
//     citation of what is none here: &#91; becomes & #91;.
//
// What passes does not depend on how the text was cut into deltas, and lags behind by one citation, entity or piece of code inside a line at
// most. A Gate is made by NewGate.
type CitationFilter struct {
	turns   []*Turn
	verdict Verdict
	quotes  quoteTracker

	undecided      string // not decided yet
	out       strings.Builder
	code      codeTracker
	inEntity    bool // what has just passed may be the beginning of one of HTML's entities
	last      rune // that passed; 0 at the beginning
	pendingSpace      bool // a space that has come and not passed: a citation followed
	citationRemoved   bool // and that was removed
	afterCitation     bool // a citation was the last to pass
	citationStartsLine bool // and began its line
}

// Differs follows a quotation that does not stand so in its turn.
const NotVerbatim = " (not verbatim)"

// unread stands where an id was that names nothing that was read.
const unreadID = "(unread)"

// Verdict is what the gate found in an answer.
type Verdict struct {
	Cited   []int    // by first mention, each once
	Removed []string // as they stood there, in order
	Quotes  []Quote  // in the order in which they were settled
}

// NewGate returns a gate before an answer. turns are those that were hydrated: [n] is turns[n-1].
func NewCitationFilter(turns []*Turn) *CitationFilter {
	g := &CitationFilter{turns: turns}
	g.quotes.verify = newQuoteVerifier(turns)
	return g
}

// Check sends a whole answer through a gate.
func FilterAnswer(answer string, turns []*Turn) (string, Verdict) {
	g := NewCitationFilter(turns)
	head := g.Write(answer)
	tail, verdict := g.Close()
	return head + tail, verdict
}

// Write takes more of the answer and returns what may be shown by now.
func (g *CitationFilter) Write(delta string) string { return g.process(delta, false) }

// Close returns the rest, and the verdict over all.
func (g *CitationFilter) Close() (string, Verdict) {
	rest := g.process("", true)
	g.out.Reset()
	g.markDiffering(g.quotes.finish())
	rest += g.out.String()
	g.verdict.Quotes = g.quotes.checked
	return rest, g.verdict
}

// Verdict is what was found so far.
func (g *CitationFilter) Verdict() Verdict { return g.verdict }

func (g *CitationFilter) process(delta string, final bool) string {
	g.out.Reset()
	g.undecided += delta
	for g.undecided != "" {
		used := g.step(g.undecided, final)
		if used == 0 {
			break
		}
		g.undecided = g.undecided[used:]
	}
	return g.out.String()
}

// step passes on, changes or drops what s begins with and returns its length; 0 when that cannot be decided before more has come.
func (g *CitationFilter) step(s string, final bool) int {
	if !final && !utf8.FullRuneInString(s) {
		return 0
	}
	r, size := utf8.DecodeRuneInString(s)
	g.code.before(r)
	if isHex(r) && !isIDWordRune(g.last) {
		if used, decided := g.turnID(s, final); used > 0 || !decided {
			return used
		}
	}
	next, more := rune(0), len(s) > size
	if more {
		next = rune(s[size])
	}
	switch {
	case r == '`':
		return g.backticks(s, final)
	case g.code.inCode():
	case strings.ContainsRune(openingBrackets, r):
		return g.bracket(s, 0, final)
	case strings.ContainsRune(" !<\\\n", r) && !more && !final:
		return 0 // what follows may change what it means
	case r == '\n' && next == '\n':
		g.endCitations()
		g.markDiffering(g.quotes.endParagraph())
	case r == '!' && next == '[', r == '<' && startsTag(next):
		g.emit(r, s[:size])
		g.out.WriteByte(' ') // no part of a quotation
		return size
	case r == '&':
		return g.ampersand(s, final)
	case r == '\\' && next == '[':
		return g.bracket(s, 1, final)
	case r == '\\' && (next == '`' || next == '\\'):
		g.emit(r, `\`)
		g.emit(next, string(next))
		return 2
	case r == ' ' && (next == '[' || next == '\\') && !g.pendingSpace:
		g.pendingSpace, g.citationRemoved = true, false
		return 1
	}
	g.emit(r, s[:size])
	return size
}

// opening begins what may be a citation.
const openingBrackets = "[【［"

// emit passes a character on.
func (g *CitationFilter) emit(r rune, raw string) {
	g.flushSpace(r)
	if g.endCitations() && (r == '(' || r == '[' || r == ':' && g.citationStartsLine) {
		g.out.WriteByte(' ') // or it would make a link of it
	}
	if g.code.inCode() {
		g.quotes.nextCode(r)
	} else {
		g.markDiffering(g.quotes.next(r))
	}
	g.code.advance(r)
	g.out.WriteString(raw)
	g.last, g.inEntity = r, r == '&' || g.inEntity && (isIDWordRune(r) || r == '#')
}

// endCitations settles what the citations belong to that have just passed. It reports whether there were any.
func (g *CitationFilter) endCitations() bool {
	were := g.afterCitation
	if g.afterCitation = false; were {
		g.markDiffering(g.quotes.endGroup())
	}
	return were
}

// pay passes the space that is owed before what follows it, r. Where a citation was removed none is missed before a comma.
func (g *CitationFilter) flushSpace(r rune) {
	if !g.pendingSpace {
		return
	}
	g.pendingSpace = false
	if !g.citationRemoved || g.inEntity || !strings.ContainsRune(" .,;:!?)\n", r) {
		g.emit(' ', " ")
	}
}

// settle marks quotations that were found to differ.
func (g *CitationFilter) markDiffering(differs bool) {
	if differs {
		g.out.WriteString(NotVerbatim)
	}
}

// ampersand passes one on, broken off from an entity that would read as part of a citation.
func (g *CitationFilter) ampersand(s string, final bool) int {
	speaks, decided := citesAsEntity(s)
	if !decided && !final {
		return 0
	}
	g.emit('&', "&")
	if speaks {
		g.out.WriteByte(' ') // no part of a quotation
		g.inEntity = false
	}
	return 1
}

// backticks opens or closes code, or is nothing special.
func (g *CitationFilter) backticks(s string, final bool) int {
	g.flushSpace('`')
	column := g.code.column
	run, effect := g.code.decide(s, final)
	if effect == undecided {
		return 0
	}
	for range run {
		g.emit('`', "`")
	}
	g.code.apply(run, column, effect)
	return run
}

// beginsTag reports whether r makes HTML, or a link, of a < before it (CommonMark 6.5, 6.6).
func startsTag(r rune) bool {
	return 'a' <= r|0x20 && r|0x20 <= 'z' || strings.ContainsRune("/!?", r)
}

// id passes a turn id that is known and drops one that is not. It says 0 and true for what is no id.
func (g *CitationFilter) turnID(s string, final bool) (used int, decided bool) {
	n, complete := idPrefix(s)
	if !complete {
		return 0, final || n < len(s)
	}
	if n == len(s) && !final {
		return 0, false
	}
	if next, _ := utf8.DecodeRuneInString(s[n:]); n < len(s) && isIDWordRune(next) {
		return 0, true
	}
	id := strings.ToLower(s[:n])
	if g.numberOf(id) > 0 || g.quotes.verify.contains(id) {
		for _, r := range s[:n] {
			g.emit(r, string(r))
		}
		return n, true
	}
	g.verdict.Removed = append(g.verdict.Removed, s[:n])
	for _, r := range unreadID {
		g.emit(r, string(r))
	}
	return n, true
}

// numberOf returns the number of the one hydrated turn whose id begins with prefix, 0 for none and for several.
func (g *CitationFilter) numberOf(prefix string) int {
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

// bracket passes the citations in a pair of brackets, drops those that name nothing, and leaves alone what is no citation. The brackets
// begin after so many bytes, which belong to them.
func (g *CitationFilter) bracket(s string, before int, final bool) int {
	inside, used, decided := bracketContent(s[before:])
	if used == 0 && !decided && !final {
		return 0
	}
	items := parseCitations(inside)
	if used == 0 || len(items) == 0 {
		r, size := utf8.DecodeRuneInString(s)
		g.emit(r, s[:size])
		return size
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
	return before + used
}

// cite passes one citation, or removes it.
func (g *CitationFilter) cite(n int, raw string) {
	if n < 1 || n > len(g.turns) {
		g.verdict.Removed = append(g.verdict.Removed, "["+raw+"]")
		g.citationRemoved = true
		if !g.pendingSpace && (g.inEntity || isHex(g.last) || strings.ContainsRune("[-!<`\\~", g.last)) { // what it stood between must not become something new
			g.emit(' ', " ")
		}
		return
	}
	g.citationRemoved = false
	if g.pendingSpace && g.afterCitation { // side by side
		g.pendingSpace = false
		g.out.WriteByte(' ')
	}
	g.flushSpace('[')
	if !g.afterCitation {
		g.citationStartsLine = g.last == '\n' || g.last == 0
	}
	if !slices.Contains(g.verdict.Cited, n) {
		g.verdict.Cited = append(g.verdict.Cited, n)
	}
	g.out.WriteString("[" + itoa(n) + "]")
	g.last, g.afterCitation = ']', true
	g.code.advance(']')
	g.quotes.cite(n)
}

func isHex(r rune) bool {
	return '0' <= r && r <= '9' || 'a' <= r && r <= 'f' || 'A' <= r && r <= 'F'
}

// isWordy reports whether r is of a longer word of ids' own letters, so that what follows or precedes it is no id of its own. Beside any
// other letter an id still reads as one.
func isIDWordRune(r rune) bool { return '0' <= r && r <= '9' || 'a' <= r|0x20 && r|0x20 <= 'z' }
