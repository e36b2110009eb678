package terms

import (
	"strings"
	"unicode/utf8"
)

// WithoutFrame returns an English question without its frame, which says what the person did and not what about: "did I
// ever ask for help with", "when did I first". The words of a frame are those of other turns that ask or say something.
// Its shape tells it: it opens a question about the person's past. "How do I ask for a raise" and "ask vs bid price"
// are about asking, and so is "did I ask Anna". A text without a frame, or with nothing else, is returned as it is.
func WithoutFrame(text string) string {
	f := frame{text: text}
	end := f.end()
	rest := strings.Trim(text[end:], " :,")
	if end == 0 || !strings.ContainsFunc(rest, isOfWord) {
		return text
	}
	date := f.date
	if f = (frame{text: rest}); !f.skip(opening) {
		rest = strings.TrimRight(rest, "? ") // the mark is that of the frame
	}
	return strings.TrimSpace(rest + " " + date)
}

// opening are words that a question begins with. Package dates has words of questions of its own: of those that ask for
// nothing but a time, in five languages.
const opening = `what when where which who whose why how is are was were do does did has have had can could should
	would`

func isOfWord(r rune) bool { return !isBetweenWords(r) }

// frame reads the words of a text from its beginning.
type frame struct {
	text string
	at   int
	date string // that stands within it: did I last year ask about
}

// end returns where the frame of the text ends, 0 without one.
func (f *frame) end() int {
	when := f.opens()
	if f.at == 0 {
		return 0
	}
	for !f.skipDate() && f.skip("ever already also first last once previously") {
	}
	end := f.at - len(f.date)
	if f.skipVerb(when) {
		return f.at
	}
	f.date = ""
	return end
}

// skipDate reads last and a word that it makes a date of.
func (f *frame) skipDate() bool {
	from := f.at
	if !f.skipAll("last", `hour day night morning evening week weekend month quarter year spring summer autumn fall winter
		monday tuesday wednesday thursday friday saturday sunday january february march april may june july august
		september october november december`) {
		return false
	}
	f.date = strings.TrimLeftFunc(f.text[from:f.at], isBetweenWords)
	return true
}

// skipVerb reads what the person did, as far as it is not what the question is about.
func (f *frame) skipVerb(when bool) bool {
	switch {
	case f.skip("do done"):
		return true
	case f.skip("discuss discussed mention mentioned"): // have as their object what the question is about
		return true
	case when && f.skip("start begin"):
		_ = f.skip("with to")
		return true
	case f.skip("ask asked"):
		f.skipListener()
		return f.skipHelp() || f.skip("about for how whether if what when where which who why")
	case f.skip("talk talked chat chatted speak spoken say said tell told write written"): // fixed: what people type
		f.skipListener()
		return f.skip("about of")
	}
	return false
}

// opens reads how a question about the person's past begins, and reports whether it asks when. Where there is no such
// beginning, it reads nothing.
func (f *frame) opens() (when bool) {
	switch {
	case f.skip("when"):
		when = true
		if f.skipAll("was", "the", "first last", "time") {
			if _ = f.skip("that"); !f.skip("i we") {
				f.at = 0
			}
			return when
		}
	case f.skip("what which where"), f.skipAll("how", "often"), f.skipAll("how", "many", "times"):
	}
	if !f.skipAll("did have had", "i we") {
		f.at = 0
	}
	return when
}

// skipListener reads whom the person asked, where that is the chat itself, and that it was a question.
func (f *frame) skipListener() {
	before := f.at
	_ = f.skip("to with")
	if !f.skip("you chatgpt claude gemini") {
		f.at = before
	}
	before = f.at
	_ = f.skip("a any some the")
	if !f.skip("question questions anything something") {
		f.at = before
	}
}

// skipHelp reads that help was asked for, where what with follows.
func (f *frame) skipHelp() bool {
	before := f.at
	if f.skip("for") {
		_ = f.skip("some any your")
		if f.skip("help advice tips information ideas") && f.skip("with about on for to in") {
			return true
		}
	}
	f.at = before
	return false
}

// skipAll reads a word of each set, or nothing.
func (f *frame) skipAll(sets ...string) bool {
	before := f.at
	for _, set := range sets {
		if !f.skip(set) {
			f.at = before
			return false
		}
	}
	return true
}

// skip reads the next word if it is in a set of words between spaces.
func (f *frame) skip(set string) bool {
	from := f.at
	for from < len(f.text) {
		r, size := utf8.DecodeRuneInString(f.text[from:])
		if !isBetweenWords(r) {
			break
		}
		from += size
	}
	to := from + wordLength(f.text[from:])
	for word := range strings.FieldsSeq(set) {
		if strings.EqualFold(word, f.text[from:to]) {
			f.at = to
			return true
		}
	}
	return false
}

// wordLength returns the length of the word that a text begins with.
func wordLength(text string) int {
	if end := strings.IndexFunc(text, isBetweenWords); end >= 0 {
		return end
	}
	return len(text)
}
