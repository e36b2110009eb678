package agent

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"lens/internal/lazyregexp"
)

// quoteTracker finds the quotations in an answer's prose and compares each with its turns once it is clear
// which turns are cited beside it.
type quoteTracker struct {
	verify  *quoteVerifier
	checked []Quote

	closing string          // characters that end the open quotation; empty: none is open
	text    strings.Builder // of the open quotation
	block   strings.Builder // of the open block of >
	inBlock bool

	pending      []string // closed, not compared yet
	blockPending bool     // the last of them was a block: its citation may follow in the next paragraph
	before       []int    // the last citations of this paragraph
	group        []int    // adjacent citations
	last         rune
	lineStart    bool // only > and spaces precede the next character in its line
	started      bool // at least one character has passed
}

// Limits of a quotation: anything shorter is a word in quotation marks, anything longer is not a quotation.
const (
	minQuoteLength = 16 // characters; Chinese, Japanese and Korean ones count double
	maxQuoteBytes  = 4000
)

// closingQuotes maps an opening quotation mark to those that close it: English, German and Polish, French,
// German books, Swedish, Japanese.
var closingQuotes = map[rune]string{
	'“': "”", '„': "“”", '«': "»", '»': "«»", '‹': "›",
	'”': "”", '「': "」", '『': "』", '"': `"`,
}

// next takes the next character of the prose. It reports whether a quotation just turned out to differ.
func (q *quoteTracker) next(r rune) (differs bool) {
	if !q.started {
		q.started, q.lineStart = true, true
	}
	lineStart := q.lineStart
	q.lineStart = r == '\n' || lineStart && (r == ' ' || r == '>')
	switch {
	case lineStart && r == '>':
		q.inBlock, q.closing = true, ""
	case lineStart && q.inBlock && q.last == '\n' && r != ' ':
		q.closeBlock()
		differs = q.plain(r)
	case q.inBlock:
		q.block.WriteRune(r)
	default:
		differs = q.plain(r)
	}
	q.last = r
	return differs
}

// nextCode takes a character of code, which may be part of a quotation but neither opens nor closes one.
func (q *quoteTracker) nextCode(r rune) {
	switch {
	case q.inBlock:
		q.block.WriteRune(r)
	case q.closing != "":
		q.text.WriteRune(r)
	}
	q.started, q.lineStart, q.last = true, r == '\n', r
}

// plain takes a character outside blocks.
func (q *quoteTracker) plain(r rune) (differs bool) {
	switch {
	case r == '\n' && q.last == '\n':
		return q.flushParagraph()
	case strings.ContainsRune(q.closing, r):
		q.close(q.text.String())
		q.closing, q.blockPending = "", false
	case q.closing != "" && q.text.Len() < maxQuoteBytes:
		q.text.WriteRune(r)
	case closingQuotes[r] != "" && !(strings.ContainsRune(`"”»`, r) && isWordRune(q.last)):
		q.closing = closingQuotes[r]
		q.text.Reset()
	case q.blockPending && !unicode.IsSpace(r):
		q.blockPending = false
	}
	return false
}

func (q *quoteTracker) closeBlock() {
	q.inBlock = false
	var lines []string
	for i, line := range strings.Split(strings.TrimSpace(q.block.String()), "\n") {
		line = strings.TrimSpace(line)
		if i > 0 && strings.IndexAny(line, "-–—") == 0 { // an attribution
			continue
		}
		lines = append(lines, strings.Trim(line, `"“”„«»`))
	}
	q.block.Reset()
	q.close(strings.Join(lines, "\n"))
	q.blockPending = true
}

// close queues a quotation until its citation is known.
func (q *quoteTracker) close(text string) {
	if length(fold(text)) >= minQuoteLength {
		q.pending = append(q.pending, text)
	}
}

// cite adds a citation.
func (q *quoteTracker) cite(n int) { q.group = append(q.group, n) }

// endGroup compares the pending quotations with the citations just seen.
func (q *quoteTracker) endGroup() (differs bool) {
	if q.inBlock {
		q.before, q.group = q.group, nil
		return false
	}
	differs = q.checkPending(append(slices.Clone(q.group), q.before...))
	q.before, q.group = q.group, nil
	return differs
}

// endParagraph is called before the empty line that ends a paragraph. A block that contains its citation does
// not wait for another.
func (q *quoteTracker) endParagraph() (differs bool) {
	if q.inBlock {
		q.closeBlock()
		q.blockPending = len(q.before) == 0
	}
	return q.flushParagraph()
}

// flushParagraph compares the pending quotations with the citations before them, except a block whose
// citation may still follow.
func (q *quoteTracker) flushParagraph() (differs bool) {
	q.closing = ""
	if !q.blockPending {
		differs = q.checkPending(q.before)
		q.before = nil
	}
	return differs
}

// finish compares the rest.
func (q *quoteTracker) finish() (differs bool) {
	if q.inBlock {
		q.closeBlock()
	}
	if len(q.group) > 0 {
		differs = q.endGroup()
	}
	return q.checkPending(q.before) || differs
}

// checkPending compares all pending quotations with the turns of numbers, or with all turns if there are
// none.
func (q *quoteTracker) checkPending(numbers []int) (differs bool) {
	for _, text := range q.pending {
		quote := Quote{Text: text}
		quote.N, quote.Verbatim = q.verify.find(text, numbers)
		q.checked = append(q.checked, quote)
		differs = differs || !quote.Verbatim
	}
	q.pending = nil
	return differs
}

// quoteVerifier looks up text in the hydrated turns.
type quoteVerifier struct {
	turns  []*Turn
	folded []string // one a turn, computed on demand
}

func newQuoteVerifier(turns []*Turn) *quoteVerifier {
	return &quoteVerifier{turns: turns, folded: make([]string, len(turns))}
}

func (v *quoteVerifier) textOf(i int) string {
	if v.folded[i] == "" {
		v.folded[i] = fold(v.turns[i].User + "\n" + v.turns[i].Assistant)
	}
	return v.folded[i]
}

// contains reports whether any turn contains id, which is in lower case.
func (v *quoteVerifier) contains(id string) bool {
	for i := range v.turns {
		if strings.Contains(strings.ToLower(v.textOf(i)), id) {
			return true
		}
	}
	return false
}

// find returns the first turn of numbers (none: of all) that contains the quotation, otherwise the first of
// numbers.
func (v *quoteVerifier) find(quotation string, numbers []int) (n int, verbatim bool) {
	parts := quotedParts(quotation)
	if len(numbers) == 0 {
		for i := range v.turns {
			if containsInOrder(v.textOf(i), parts) {
				return i + 1, true
			}
		}
		return 0, false
	}
	for _, n := range numbers {
		if containsInOrder(v.textOf(n-1), parts) {
			return n, true
		}
	}
	return numbers[0], false
}

var ellipsis = lazyregexp.New(`\s*[\[(]?(?:…|\.\.\.)[\])]?\s*`)

// quotedParts splits a quotation at its ellipses. Trailing punctuation belongs to the surrounding sentence.
func quotedParts(quotation string) []string {
	parts := ellipsis().Split(fold(quotation), -1)
	for i := range parts {
		parts[i] = strings.TrimRight(parts[i], ".,;:!?。，、；：！？")
	}
	return parts
}

// minPartLength prevents quotations assembled from single words, in characters as above.
const minPartLength = 6

// containsInOrder reports whether text contains all parts in order, as whole words.
func containsInOrder(text string, parts []string) bool {
	for _, part := range parts {
		if part != "" && len(parts) > 1 && length(part) < minPartLength {
			return false
		}
		end := wordMatchEnd(text, part)
		if end < 0 {
			return false
		}
		text = text[end:]
	}
	return true
}

// wordMatchEnd returns where the first whole-word match of part in text ends, or -1. "able" in "unable" does
// not match.
func wordMatchEnd(text, part string) int {
	for from := 0; ; {
		at := strings.Index(text[from:], part)
		if at < 0 {
			return -1
		}
		begin := from + at
		end := begin + len(part)
		if !insideWord(text, begin) && !insideWord(text, end) {
			return end
		}
		_, size := utf8.DecodeRuneInString(text[begin:])
		from = begin + size
	}
}

// insideWord reports whether letters of one word surround position at.
func insideWord(text string, at int) bool {
	before, _ := utf8.DecodeLastRuneInString(text[:at])
	after, _ := utf8.DecodeRuneInString(text[at:])
	inWord := func(r rune) bool { return isWordRune(r) && !isWide(r) }
	return inWord(before) && inWord(after)
}

func isWordRune(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }

// length counts characters, wide ones double.
func length(text string) int {
	n := 0
	for _, r := range text {
		if n++; isWide(r) {
			n++
		}
	}
	return n
}

// isWide reports whether r belongs to a script that needs few characters and no spaces between words.
func isWide(r rune) bool {
	return unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Hangul)
}

var foldReplacer = strings.NewReplacer(
	"“", `"`, "”", `"`, "„", `"`, "«", `"`, "»", `"`, "「", `"`, "」", `"`, "『", `"`, "』", `"`,
	"‘", "'", "’", "'", "‹", "'", "›", "'",
	"\u2010", "-", "\u2011", "-", "\u00ad", "", "\u200b", "", "*", "", "`", "",
)

// fold collapses white space, normalizes quotation marks and hyphens, and removes bold and code marks.
func fold(text string) string { return strings.Join(strings.Fields(foldReplacer.Replace(text)), " ") }
