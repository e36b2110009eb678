package dates

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// token is a run of letters and digits.
type token struct {
	from, to int    // bytes of the text
	gap      string // between it and the token before, without blanks
	word     string // in lower case and without accents
	number   int    // that it begins with; -1 for none
	digits   int    // of number
	suffix   string // of word, after the digits
	capital  bool
	opens    bool // a sentence or the text
}

// tokenize splits a text into tokens.
func tokenize(text string) []token {
	var tokens []token
	for end := 0; ; {
		from := strings.IndexFunc(text[end:], isTokenRune)
		if from < 0 {
			return tokens
		}
		gap := text[end : end+from]
		from += end
		size := strings.IndexFunc(text[from:], func(r rune) bool { return !isTokenRune(r) })
		if size < 0 {
			size = len(text) - from
		}
		opens := len(tokens) == 0 || strings.ContainsAny(gap, ".?!\n")
		end = from + size
		tokens = append(tokens, newToken(text, from, end, strings.TrimSpace(gap), opens))
	}
}

func isTokenRune(r rune) bool { return unicode.IsLetter(r) || unicode.IsMark(r) || unicode.IsDigit(r) }

func newToken(text string, from, to int, gap string, opens bool) token {
	t := token{from: from, to: to, gap: gap, opens: opens, number: -1}
	first, _ := utf8.DecodeRuneInString(text[from:to])
	t.capital = unicode.IsUpper(first)
	t.word = fold(text[from:to])
	for t.digits < len(t.word) && isDigit(t.word[t.digits]) {
		t.digits++
	}
	t.suffix = t.word[t.digits:]
	if t.digits == 0 || t.digits > 4 {
		return t
	}
	t.number = 0
	for _, digit := range []byte(t.word[:t.digits]) {
		t.number = 10*t.number + int(digit-'0')
	}
	return t
}

func isDigit(b byte) bool { return b >= '0' && b <= '9' }

// fold lowers a word and drops the accents that the five languages write, whether part of a letter or behind it.
func fold(word string) string {
	return strings.Map(func(r rune) rune {
		switch r = unicode.ToLower(r); {
		case unicode.IsMark(r):
			return -1
		case r < utf8.RuneSelf:
			return r
		}
		if at := strings.IndexRune(accented, r); at >= 0 {
			return rune(plain[utf8.RuneCountInString(accented[:at])])
		}
		return r
	}, word)
}

const (
	accented = "àáâäãåçèéêëìíîïñòóôöõùúûüÿ"
	plain    = "aaaaaaceeeeiiiinooooouuuuy"
)

// isTime reports whether t is the end of a date and the time of day after it: 08T12.
func (t token) isTime() bool { return len(t.suffix) > 1 && t.suffix[0] == 't' && isDigit(t.suffix[1]) }

// end returns where t ends, without a time of day.
func (t token) end() int {
	if t.isTime() {
		return t.from + t.digits
	}
	return t.to
}

// at returns token i, an empty one outside the text.
func (p *parser) at(i int) token {
	if i < 0 || i >= len(p.tokens) {
		return token{number: -1, gap: "\n"}
	}
	return p.tokens[i]
}

// joined reports whether only blanks and some of marks stand before token i.
func (p *parser) joined(i int, marks string) bool {
	return i > 0 && i < len(p.tokens) && strings.Trim(p.tokens[i].gap, marks) == ""
}

// isWord reports whether token i is one of words, after nothing but blanks.
func (p *parser) isWord(i int, words map[string]language) bool {
	_, known := words[p.at(i).word]
	return known && p.joined(i, "")
}

// phrase reports whether the words of a phrase begin at token i.
func (p *parser) phrase(i int, words ...string) bool {
	for n, word := range words {
		if p.at(i+n).word != word || n > 0 && !p.joined(i+n, "-'’") {
			return false
		}
	}
	return true
}

// byteBefore and byteAfter return what touches the tokens [i, j), 0 at the ends of the text.
func (p *parser) byteBefore(i int) byte {
	if at := p.tokens[i].from; at > 0 {
		return p.text[at-1]
	}
	return 0
}

func (p *parser) bytesAfter(j int) (first, second byte) {
	rest := p.text[p.tokens[j-1].to:]
	if len(rest) > 0 {
		first = rest[0]
	}
	if len(rest) > 1 {
		second = rest[1]
	}
	return first, second
}
