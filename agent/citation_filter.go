package agent

import (
	"slices"
	"strings"
	"unicode/utf8"
)

// CitationFilter filters an answer as it streams to the client. Its rules are:
//
//   - [n], [n, m], [n-m], [n and m], [Source n], \[n\], 【n】 and [turn id] are citations, wherever they stand
//     outside code. Each becomes [n] if turns[n-1] was hydrated. Any other is removed and reported, with the
//     space before it unless a word follows.
//   - A full turn id in the text, also in code, stays if that turn was hydrated or a hydrated turn contains
//     it. Any other is replaced and reported.
//   - A quotation (in quotation marks, or a block of >) is compared with the turns cited beside it: after it,
//     or before it in its paragraph; without a citation, with every hydrated turn. White space, bold and the
//     shape of quotation marks do not count; an ellipsis may leave something out. NotVerbatim follows a
//     quotation that differs.
//   - Nothing that a renderer would fetch remains: ![ becomes ! [, <b becomes < b, and a citation cannot
//     become a link. Nor can a renderer create a citation: &#91; becomes & #91;.
//
// The output does not depend on how the text is split into deltas, and lags behind by at most one citation,
// entity or code span. NewCitationFilter makes a CitationFilter.
type CitationFilter struct {
	turns   []*Turn
	verdict Verdict
	quotes  quoteTracker

	undecided          string // text whose meaning depends on what follows
	out                strings.Builder
	code               codeTracker
	inEntity           bool // the last characters may begin an HTML entity
	last               rune // last character emitted; 0 at the beginning
	pendingSpace       bool // a space before a citation is held back
	citationRemoved    bool // that citation was removed
	afterCitation      bool // the last output was a citation
	citationStartsLine bool // which began its line
}

// NotVerbatim follows a quotation that does not appear in its turn.
const NotVerbatim = " (not verbatim)"

// unreadID replaces an id of a turn that was not read.
const unreadID = "(unread)"

// Verdict reports what the filter found in an answer.
type Verdict struct {
	Cited   []int    // in order of first mention, each once
	Removed []string // as they appeared, in order
	Quotes  []Quote  // in the order in which they were compared
}

// NewCitationFilter returns a filter for one answer. turns are the hydrated turns: [n] is turns[n-1].
func NewCitationFilter(turns []*Turn) *CitationFilter {
	f := &CitationFilter{turns: turns}
	f.quotes.verify = newQuoteVerifier(turns)
	return f
}

// FilterAnswer filters a complete answer.
func FilterAnswer(answer string, turns []*Turn) (string, Verdict) {
	f := NewCitationFilter(turns)
	head := f.Write(answer)
	tail, verdict := f.Close()
	return head + tail, verdict
}

// Write takes the next part of the answer and returns what may be shown so far.
func (f *CitationFilter) Write(delta string) string { return f.process(delta, false) }

// Close returns the rest of the answer and the final verdict.
func (f *CitationFilter) Close() (string, Verdict) {
	rest := f.process("", true)
	f.out.Reset()
	f.markDiffering(f.quotes.finish())
	rest += f.out.String()
	f.verdict.Quotes = f.quotes.checked
	return rest, f.verdict
}

// Verdict returns the verdict so far.
func (f *CitationFilter) Verdict() Verdict { return f.verdict }

func (f *CitationFilter) process(delta string, final bool) string {
	f.out.Reset()
	f.undecided += delta
	for f.undecided != "" {
		used := f.step(f.undecided, final)
		if used == 0 {
			break
		}
		f.undecided = f.undecided[used:]
	}
	return f.out.String()
}

// step emits, changes or drops what s begins with and returns its length, or 0 when more text is needed to
// decide.
func (f *CitationFilter) step(s string, final bool) int {
	if !final && !utf8.FullRuneInString(s) {
		return 0
	}
	r, size := utf8.DecodeRuneInString(s)
	f.code.before(r)
	if isHex(r) && !isIDWordRune(f.last) {
		if used, decided := f.turnID(s, final); used > 0 || !decided {
			return used
		}
	}
	next, more := rune(0), len(s) > size
	if more {
		next = rune(s[size])
	}
	switch {
	case r == '`':
		return f.backticks(s, final)
	case f.code.inCode():
	case strings.ContainsRune(openingBrackets, r):
		return f.bracket(s, 0, final)
	case strings.ContainsRune(" !<\\\n", r) && !more && !final:
		return 0 // its meaning depends on what follows
	case r == '\n' && next == '\n':
		f.endCitations()
		f.markDiffering(f.quotes.endParagraph())
	case r == '!' && next == '[', r == '<' && startsTag(next):
		f.emit(r, s[:size])
		f.out.WriteByte(' ') // not part of a quotation
		return size
	case r == '&':
		return f.ampersand(s, final)
	case r == '\\' && next == '[':
		return f.bracket(s, 1, final)
	case r == '\\' && (next == '`' || next == '\\'):
		f.emit(r, `\`)
		f.emit(next, string(next))
		return 2
	case r == ' ' && (next == '[' || next == '\\') && !f.pendingSpace:
		f.pendingSpace, f.citationRemoved = true, false
		return 1
	}
	f.emit(r, s[:size])
	return size
}

// openingBrackets may begin a citation.
const openingBrackets = "[【［"

// emit outputs a character.
func (f *CitationFilter) emit(r rune, raw string) {
	f.flushSpace(r)
	if f.endCitations() && (r == '(' || r == '[' || r == ':' && f.citationStartsLine) {
		f.out.WriteByte(' ') // otherwise Markdown makes it a link
	}
	if f.code.inCode() {
		f.quotes.nextCode(r)
	} else {
		f.markDiffering(f.quotes.next(r))
	}
	f.code.advance(r)
	f.out.WriteString(raw)
	f.last, f.inEntity = r, r == '&' || f.inEntity && (isIDWordRune(r) || r == '#')
}

// endCitations compares the quotations that the preceding citations belong to. It reports whether there were
// any citations.
func (f *CitationFilter) endCitations() bool {
	were := f.afterCitation
	if f.afterCitation = false; were {
		f.markDiffering(f.quotes.endGroup())
	}
	return were
}

// flushSpace outputs the pending space before r, but not where a citation was removed before punctuation.
func (f *CitationFilter) flushSpace(r rune) {
	if !f.pendingSpace {
		return
	}
	f.pendingSpace = false
	if !f.citationRemoved || f.inEntity || !strings.ContainsRune(" .,;:!?)\n", r) {
		f.emit(' ', " ")
	}
}

// markDiffering marks a quotation that was found to differ.
func (f *CitationFilter) markDiffering(differs bool) {
	if differs {
		f.out.WriteString(NotVerbatim)
	}
}

// ampersand outputs one, separated from an entity that would render as part of a citation.
func (f *CitationFilter) ampersand(s string, final bool) int {
	cites, decided := citesAsEntity(s)
	if !decided && !final {
		return 0
	}
	f.emit('&', "&")
	if cites {
		f.out.WriteByte(' ') // not part of a quotation
		f.inEntity = false
	}
	return 1
}

// backticks handles a run of backticks, which may open or close code.
func (f *CitationFilter) backticks(s string, final bool) int {
	f.flushSpace('`')
	column := f.code.column
	run, effect := f.code.decide(s, final)
	if effect == undecided {
		return 0
	}
	for range run {
		f.emit('`', "`")
	}
	f.code.apply(run, column, effect)
	return run
}

// startsTag reports whether "<" followed by r begins HTML or a link (CommonMark 6.5, 6.6).
func startsTag(r rune) bool {
	return 'a' <= r|0x20 && r|0x20 <= 'z' || strings.ContainsRune("/!?", r)
}

// turnID outputs a known turn id and replaces an unknown one. It returns 0 and true when s does not begin
// with an id.
func (f *CitationFilter) turnID(s string, final bool) (used int, decided bool) {
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
	if f.numberOf(id) > 0 || f.quotes.verify.contains(id) {
		for _, r := range s[:n] {
			f.emit(r, string(r))
		}
		return n, true
	}
	f.verdict.Removed = append(f.verdict.Removed, s[:n])
	for _, r := range unreadID {
		f.emit(r, string(r))
	}
	return n, true
}

// numberOf returns the number of the only hydrated turn whose id begins with prefix, 0 for none or several.
func (f *CitationFilter) numberOf(prefix string) int {
	number := 0
	for i, t := range f.turns {
		if strings.HasPrefix(t.ID, prefix) {
			if number > 0 {
				return 0
			}
			number = i + 1
		}
	}
	return number
}

// bracket outputs the citations in a pair of brackets, drops invalid ones, and leaves other brackets alone.
// The pair begins after before bytes, which belong to it.
func (f *CitationFilter) bracket(s string, before int, final bool) int {
	inside, used, decided := bracketContent(s[before:])
	if used == 0 && !decided && !final {
		return 0
	}
	items := parseCitations(inside)
	if used == 0 || len(items) == 0 {
		r, size := utf8.DecodeRuneInString(s)
		f.emit(r, s[:size])
		return size
	}
	for _, item := range items {
		numbers := item.numbers
		if item.id != "" {
			numbers = []int{f.numberOf(item.id)}
		}
		for _, n := range numbers {
			f.cite(n, item.raw)
		}
	}
	return before + used
}

// cite outputs or removes one citation.
func (f *CitationFilter) cite(n int, raw string) {
	if n < 1 || n > len(f.turns) {
		f.verdict.Removed = append(f.verdict.Removed, "["+raw+"]")
		f.citationRemoved = true
		if !f.pendingSpace && (f.inEntity || isHex(f.last) || strings.ContainsRune("[-!<`\\~", f.last)) {
			f.emit(' ', " ") // keeps its neighbors from forming something new
		}
		return
	}
	f.citationRemoved = false
	if f.pendingSpace && f.afterCitation { // adjacent citations
		f.pendingSpace = false
		f.out.WriteByte(' ')
	}
	f.flushSpace('[')
	if !f.afterCitation {
		f.citationStartsLine = f.last == '\n' || f.last == 0
	}
	if !slices.Contains(f.verdict.Cited, n) {
		f.verdict.Cited = append(f.verdict.Cited, n)
	}
	f.out.WriteString("[" + itoa(n) + "]")
	f.last, f.afterCitation = ']', true
	f.code.advance(']')
	f.quotes.cite(n)
}

func isHex(r rune) bool {
	return '0' <= r && r <= '9' || 'a' <= r && r <= 'f' || 'A' <= r && r <= 'F'
}

// isIDWordRune reports whether r can continue a word made of the letters of ids, so that an id directly
// beside it is not an id. Beside any other letter it still reads as one.
func isIDWordRune(r rune) bool { return '0' <= r && r <= '9' || 'a' <= r|0x20 && r|0x20 <= 'z' }
