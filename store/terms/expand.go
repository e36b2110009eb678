package terms

import (
	"bytes"
	"unicode/utf8"

	"github.com/kljensen/snowball/english"
)

const (
	maxTerm  = 64 // bytes of a term
	maxWords = 16 // words of a token that is kept whole
	maxParts = 8  // parts of a word that is split
)

// expand emits the terms of a token: the whole token, if it has joints, its words and their parts.
// whole reports that the token has more than one word and that the first term is all of it. stop
// reports that it consists of stop words. The bytes are valid only during the call.
func expand(token string, emit func(term []byte)) (whole, stop bool) {
	text := []byte(token)
	if !isASCII(token) {
		text = fold(token)
	}
	text, negated := cutContraction(text)
	words := splitJoints(text)
	stop = negated || allStop(words)
	if !stop && isJoined(words, text) {
		emit(cut(lower(nil, text)))
		whole = true
	}
	for _, word := range words {
		parts := expandWord(word, !stop, emit)
		whole = whole || len(words) == 1 && parts > 1
	}
	return whole && !stop, stop
}

// isJoined reports whether text is more than one word and short enough to be kept whole.
func isJoined(words [][]byte, text []byte) bool {
	return len(words) <= maxWords && len(text) <= maxTerm && len(words[0]) < len(text)
}

// expandWord emits a word and its parts, if it has several. With dropStop it omits stop words. It
// returns the number of parts.
func expandWord(word []byte, dropStop bool, emit func(term []byte)) (n int) {
	whole := lower(nil, word)
	if !dropStop || !isStop(whole) {
		emit(stem(whole))
	}
	parts := splitCamelCase(word)
	for _, part := range parts {
		if part = lower(nil, part); !isStop(part) {
			emit(stem(part))
		}
	}
	return len(parts)
}

// cutContraction removes the end of a contraction (Anna's, we're, I'd, they'll). Negated reports one
// with "not" (don't, can't), which is a stop word as a whole, like the word it negates.
func cutContraction(text []byte) (rest []byte, negated bool) {
	at := bytes.LastIndexByte(text, '\'')
	if at < 1 {
		return text, false
	}
	switch string(lower(nil, text[at+1:])) {
	case "s", "m", "re", "ve", "ll", "d":
		return text[:at], false
	case "t":
		return text, text[at-1] == 'n' || text[at-1] == 'N'
	}
	return text, false
}

// splitJoints returns the words between joints, without the tail of C++ and C#.
func splitJoints(text []byte) [][]byte {
	return bytes.FieldsFunc(text, func(r rune) bool { return r < 0x80 && kinds[r] != letter })
}

func allStop(words [][]byte) bool {
	for _, word := range words {
		if !isStop(lower(nil, word)) {
			return false
		}
	}
	return true
}

// stem returns the English stem of a lower-case word of ASCII letters, and any other word cut at
// maxTerm bytes.
func stem(word []byte) []byte {
	word = cut(word)
	for _, c := range word {
		if c < 'a' || c > 'z' {
			return word
		}
	}
	return []byte(english.Stem(string(word), true))
}

// cut shortens a word to at most maxTerm bytes of whole characters.
func cut(word []byte) []byte {
	if len(word) <= maxTerm {
		return word
	}
	end := maxTerm
	for !utf8.RuneStart(word[end]) {
		end--
	}
	return word[:end]
}
