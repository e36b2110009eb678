package tui

import (
	"strings"
	"unicode"

	"github.com/charmbracelet/x/ansi"
)

// shortest is the least length of a query word that marks longer words that begin with it.
const shortest = 3

// marker finds words to highlight: those that equal a word of the query or begin with it, in any case. It does not
// reproduce the search: the index also knows stems and identifiers.
type marker []string

func newMarker(query string) marker {
	return strings.FieldsFunc(strings.ToLower(query), notOfWord)
}

func notOfWord(r rune) bool {
	return !unicode.IsLetter(r) && !unicode.IsDigit(r) && !unicode.IsMark(r) && r != '_'
}

// find returns the cells [from, to) of a line that hold words of the query, in order.
func (m marker) find(line string) [][2]int {
	if len(m) == 0 {
		return nil
	}
	var hits [][2]int
	column := 0
	for rest := line; rest != ""; {
		at := strings.IndexFunc(rest, func(r rune) bool { return !notOfWord(r) })
		if at < 0 {
			break
		}
		column += ansi.StringWidth(rest[:at])
		rest = rest[at:]
		end := strings.IndexFunc(rest, notOfWord)
		if end < 0 {
			end = len(rest)
		}
		for _, h := range m.inWord(rest[:end]) {
			hits = append(hits, [2]int{column + h[0], column + h[1]})
		}
		column += ansi.StringWidth(rest[:end])
		rest = rest[end:]
	}
	return hits
}

// inWord returns the cells of a word to mark: all of it or, in a script without spaces between words, just the word
// of the query.
func (m marker) inWord(word string) [][2]int {
	lower := strings.ToLower(word)
	for _, term := range m {
		switch at := strings.Index(lower, term); {
		case at >= 0 && unspaced(term):
			from := ansi.StringWidth(lower[:at])
			return [][2]int{{from, from + ansi.StringWidth(term)}}
		case lower == term, at == 0 && len(term) >= shortest:
			return [][2]int{{0, ansi.StringWidth(word)}}
		}
	}
	return nil
}

// unspaced reports whether a word is in a script without spaces between words.
func unspaced(word string) bool {
	for _, r := range word {
		return unicode.In(r,
			unicode.Han,
			unicode.Hiragana,
			unicode.Katakana,
			unicode.Thai,
			unicode.Lao,
			unicode.Khmer,
			unicode.Myanmar,
		)
	}
	return false
}
