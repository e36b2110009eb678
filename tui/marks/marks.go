// Package marks finds the words of a query in text, to highlight them.
package marks

import (
	"strings"
	"unicode"

	"github.com/charmbracelet/x/ansi"
)

// shortest is the least length of a query word that marks longer words that begin with it.
const shortest = 3

// Words are the words of a query. They mark words that equal one of them or begin with it, in any case. That does not
// reproduce the search: the index also knows stems and identifiers.
type Words []string

// Of returns the words of a query.
func Of(query string) Words {
	return strings.FieldsFunc(strings.ToLower(query), notOfWord)
}

func notOfWord(r rune) bool {
	return !unicode.IsLetter(r) && !unicode.IsDigit(r) && !unicode.IsMark(r) && r != '_'
}

// Find returns the cells [from, to) of a line that hold words of the query, in order.
func (w Words) Find(line string) [][2]int {
	if len(w) == 0 {
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
		for _, h := range w.inWord(rest[:end]) {
			hits = append(hits, [2]int{column + h[0], column + h[1]})
		}
		column += ansi.StringWidth(rest[:end])
		rest = rest[end:]
	}
	return hits
}

// inWord returns the cells of a word to mark: all of it or, in a script without spaces between words, just the word
// of the query.
func (w Words) inWord(word string) [][2]int {
	lower := strings.ToLower(word)
	for _, term := range w {
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
