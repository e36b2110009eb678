package agent

import (
	"regexp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// quoting follows an answer's prose, finds the quotations in it and settles each once it is clear which turns are cited beside it.
type quoteTracker struct {
	verify  *quoteVerifier
	checked []Quote

	closing string          // characters that end the quotation this is in; "": none is open
	text    strings.Builder // of the open quotation
	block   strings.Builder // of the block of > that this is in
	inBlock bool

	pending []string // closed, not settled
	blockPending   bool     // the last of them was a block: its citation may stand in the next paragraph
	before  []int    // the last citations of this paragraph
	group   []int    // citations that stand side by side
	last    rune
	lineStart   bool // this is the first character of its line, or only > and spaces stood before it
	started   bool // something has been seen
}

// Limits of what is taken for a quotation, in characters, of which those of Chinese, Japanese and Korean count double: below the first it is a word in quotation marks, beyond the second the marks
// did not mean it.
const (
	minQuoteLength = 16
	maxQuoteBytes  = 4000
)

// closers are the marks that end a quotation, by the one that begins it: English, German and Polish, French, German books, Swedish, Japanese.
var closingQuotes = map[rune]string{'“': "”", '„': "“”", '«': "»", '»': "«»", '‹': "›", '”': "”", '「': "」", '『': "』", '"': `"`}

// see takes the next character of the prose. It reports whether a quotation was settled here that differs.
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

// seeCode takes a character of code: in a quotation it is as good as any, and it begins and ends none.
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
	case closingQuotes[r] != "" && !(strings.ContainsRune(`"”»`, r) && (unicode.IsLetter(q.last) || unicode.IsDigit(q.last))):
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
		if i > 0 && strings.IndexAny(line, "-–—") == 0 { // who said it, and when
			continue
		}
		lines = append(lines, strings.Trim(line, `"“”„«»`))
	}
	q.block.Reset()
	q.close(strings.Join(lines, "\n"))
	q.blockPending = true
}

// close puts a quotation where its citation can settle it.
func (q *quoteTracker) close(text string) {
	if length(fold(text)) >= minQuoteLength {
		q.pending = append(q.pending, text)
	}
}

// cite notes a citation.
func (q *quoteTracker) cite(n int) { q.group = append(q.group, n) }

// groupEnds settles what is pending by the citations that have just been made.
func (q *quoteTracker) endGroup() (differs bool) {
	if q.inBlock {
		q.before, q.group = q.group, nil
		return false
	}
	differs = q.checkPending(append(slices.Clone(q.group), q.before...))
	q.before, q.group = q.group, nil
	return differs
}

// endParagraph comes before the empty line that ends a paragraph. A block that holds its citation needs to wait for none.
func (q *quoteTracker) endParagraph() (differs bool) {
	if q.inBlock {
		q.closeBlock()
		q.blockPending = len(q.before) == 0
	}
	return q.flushParagraph()
}

// paragraphEnds settles what is pending by what was cited before it, except a block whose citation may come yet.
func (q *quoteTracker) flushParagraph() (differs bool) {
	q.closing = ""
	if !q.blockPending {
		differs = q.checkPending(q.before)
		q.before = nil
	}
	return differs
}

// finish settles the rest.
func (q *quoteTracker) finish() (differs bool) {
	if q.inBlock {
		q.closeBlock()
	}
	if len(q.group) > 0 {
		differs = q.endGroup()
	}
	return q.checkPending(q.before) || differs
}

// settle compares all pending quotations with the turns of numbers, or with all turns where there are none.
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

// verifier knows what the hydrated turns say.
type quoteVerifier struct {
	turns  []*Turn
	folded []string // one a turn, made when it is needed
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

// says reports whether any turn holds id, a text in lower case.
func (v *quoteVerifier) contains(id string) bool {
	for i := range v.turns {
		if strings.Contains(strings.ToLower(v.textOf(i)), id) {
			return true
		}
	}
	return false
}

// find returns the first turn of numbers (none: of all) that holds the quotation; the first of numbers when none does.
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

var ellipsis = regexp.MustCompile(`\s*[\[(]?(?:…|\.\.\.)[\])]?\s*`)

// quotedParts splits a quotation where it leaves something out. Punctuation at its end belongs to the sentence around it.
func quotedParts(quotation string) []string {
	parts := ellipsis.Split(fold(quotation), -1)
	for i := range parts {
		parts[i] = strings.TrimRight(parts[i], ".,;:!?。，、；：！？")
	}
	return parts
}

// shortestPart keeps quotations from being put together of single words, in characters as above.
const minPartLength = 6

// holds reports whether text holds all parts, one after the other, as whole words.
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

// endOf returns where part first ends in text, -1 for nowhere. Where it begins or ends in the midst of a word ("able" in "unable") it is
// another part.
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

// insideWord reports whether letters of one word stand on both sides of at.
func insideWord(text string, at int) bool {
	before, _ := utf8.DecodeLastRuneInString(text[:at])
	after, _ := utf8.DecodeRuneInString(text[at:])
	inWord := func(r rune) bool { return (unicode.IsLetter(r) || unicode.IsDigit(r)) && !isWide(r) }
	return inWord(before) && inWord(after)
}

// length counts characters, those of scripts that write much with few double.
func length(text string) int {
	n := 0
	for _, r := range text {
		if n++; isWide(r) {
			n++
		}
	}
	return n
}

// isWide reports whether r is of a script that writes much with few characters, and no spaces between words.
func isWide(r rune) bool {
	return unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Hangul)
}

var foldReplacer = strings.NewReplacer(
	"“", `"`, "”", `"`, "„", `"`, "«", `"`, "»", `"`, "「", `"`, "」", `"`, "『", `"`, "』", `"`, "‘", "'", "’", "'", "‹", "'", "›", "'",
	"\u2010", "-", "\u2011", "-", "\u00ad", "", "\u200b", "", "*", "", "`", "",
)

// fold makes white space one space, quotation marks straight and hyphens plain, and drops what makes words bold or code.
func fold(text string) string { return strings.Join(strings.Fields(foldReplacer.Replace(text)), " ") }
