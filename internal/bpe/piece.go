package bpe

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// cl100kPiece returns the first match of the expression with which cl100k_base splits text:
//
//	(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+
func cl100kPiece(text string) string {
	if n := contraction(text); n > 0 {
		return text[:n]
	}
	word := text[beforeWord(text):]
	if n := span(word, unicode.IsLetter); n > 0 {
		return text[:len(text)-len(word)+n]
	}
	return otherPiece(text, "\r\n")
}

// o200kPiece returns the first match of the expression with which o200k_base splits text. Here a word is letters that
// change at most once from upper to lower case, and its contraction:
//
//	[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]*[\p{Ll}\p{Lm}\p{Lo}\p{M}]+(?i:'s|'t|'re|'ve|'m|'ll|'d)?
//	[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]+[\p{Ll}\p{Lm}\p{Lo}\p{M}]*(?i:'s|'t|'re|'ve|'m|'ll|'d)?
//	\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n/]*|\s*[\r\n]+|\s+(?!\S)|\s+
func o200kPiece(text string) string {
	before := beforeWord(text)
	for _, word := range []func(string) int{lowerWord, upperWord} {
		for _, from := range []int{before, 0} {
			if n := word(text[from:]); n > 0 {
				n += from
				return text[:n+contraction(text[n:])]
			}
		}
	}
	return otherPiece(text, "\r\n/")
}

// lowerWord returns the length of upper-case letters and the lower-case letters after them, of which there must be one.
// A letter without case is both.
func lowerWord(text string) int {
	upper := span(text, isUpper)
	if lower := span(text[upper:], isLower); lower > 0 {
		return upper + lower
	}
	for upper > 0 { // the last of them may count as lower
		last, n := utf8.DecodeLastRuneInString(text[:upper])
		if isLower(last) {
			return upper
		}
		upper -= n
	}
	return 0
}

// upperWord returns the length of upper-case letters.
func upperWord(text string) int { return span(text, isUpper) }

func isUpper(r rune) bool {
	return unicode.In(r, unicode.Lu, unicode.Lt, unicode.Lm, unicode.Lo, unicode.M)
}
func isLower(r rune) bool { return unicode.In(r, unicode.Ll, unicode.Lm, unicode.Lo, unicode.M) }

// beforeWord returns the length of the character that a word may have before its letters.
func beforeWord(text string) int {
	r, n := utf8.DecodeRuneInString(text)
	if r == '\r' || r == '\n' || unicode.IsLetter(r) || unicode.IsNumber(r) {
		return 0
	}
	return n
}

// contraction returns the length of the contraction, such as 've, that text begins with.
func contraction(text string) int {
	if !strings.HasPrefix(text, "'") {
		return 0
	}
	for _, ending := range []string{"s", "t", "re", "ve", "m", "ll", "d"} {
		n := 1
		for range ending {
			_, size := utf8.DecodeRuneInString(text[n:])
			n += size
		}
		if strings.EqualFold(text[1:n], ending) {
			return n
		}
	}
	return 0
}

// otherPiece returns the first piece of a text that does not begin with a word: up to three digits, signs with the
// characters of tail after them, or space. A space before a word belongs to the word.
func otherPiece(text, tail string) string {
	if n := digits(text); n > 0 {
		return text[:n]
	}
	blank := len(text) - len(strings.TrimPrefix(text, " "))
	if n := span(text[blank:], isSign); n > 0 {
		n += blank
		return text[:n+span(text[n:], func(r rune) bool { return strings.ContainsRune(tail, r) })]
	}
	space := span(text, unicode.IsSpace)
	if end := strings.LastIndexAny(text[:space], "\r\n"); end >= 0 {
		return text[:end+1]
	}
	_, last := utf8.DecodeLastRuneInString(text[:space])
	if space < len(text) && space > last {
		space -= last
	}
	return text[:space]
}

// digits returns the length of up to three digits.
func digits(text string) (n int) {
	for range 3 {
		r, size := utf8.DecodeRuneInString(text[n:])
		if !unicode.IsNumber(r) {
			break
		}
		n += size
	}
	return n
}

func isSign(r rune) bool { return !unicode.IsSpace(r) && !unicode.IsLetter(r) && !unicode.IsNumber(r) }

// span returns the length of the characters at the start of text that are all in a class.
func span(text string, in func(rune) bool) int {
	n := strings.IndexFunc(text, func(r rune) bool { return !in(r) })
	if n < 0 {
		return len(text)
	}
	return n
}
