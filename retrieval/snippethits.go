package retrieval

import (
	"sync"
	"unicode"
	"unicode/utf8"

	"lens/store/terms"
)

// snippeter finds the terms of one query in texts by the rules of the index. It is not safe for concurrent use.
type snippeter struct {
	bit      map[string]uint64 // of each term of the query; the first 64 count
	initials [256]bool         // first bytes of those terms
	analyzer *terms.Analyzer
	known    map[string]uint64 // words seen so far
}

// hit is a word of a text with terms of the query, in runes.
type hit struct {
	start, end int
	terms      uint64
}

// maxHits bounds the hits considered in one text.
const maxHits = 400

// analyzers keep stemmed words from one query to the next: most of a snippet's time would go there.
var analyzers = sync.Pool{New: func() any { return new(terms.Analyzer) }}

func newSnippeter(words []string) *snippeter {
	s := &snippeter{bit: map[string]uint64{}, known: map[string]uint64{}, analyzer: analyzers.Get().(*terms.Analyzer)}
	for i, term := range words {
		s.bit[term] = 1 << min(i, 63)
		s.initials[term[0]] = true
	}
	return s
}

// release returns the analyzer for the next query. s must not be used afterwards.
func (s *snippeter) release() { analyzers.Put(s.analyzer) }

// hits returns the words of folded that hold terms of the query. In scripts without spaces each pair of characters
// counts as a word, as it does in the index.
func (s *snippeter) hits(folded string) []hit {
	if len(s.bit) == 0 {
		return nil
	}
	var hits []hit
	add := func(word string, from, to int) {
		if terms := s.terms(word); terms != 0 && len(hits) < maxHits {
			hits = append(hits, hit{from, to, terms})
		}
	}
	word, wordRune := 0, 0 // where the current word begins, in bytes and in runes
	for at, n := 0, 0; at < len(folded) && len(hits) < maxHits; n++ {
		r, size := utf8.DecodeRuneInString(folded[at:])
		if alone := unspaced(r); alone || r == ' ' {
			add(folded[word:at], wordRune, n)
			word, wordRune = at+size, n+1
			if alone {
				_, next := utf8.DecodeRuneInString(folded[at+size:])
				add(folded[at:at+size], n, n+1)
				add(folded[at:at+size+next], n, n+2)
			}
		}
		at += size
	}
	add(folded[word:], wordRune, wordRune+utf8.RuneCountInString(folded[word:]))
	return hits
}

// terms returns the terms of the query that word holds.
func (s *snippeter) terms(word string) uint64 {
	if !s.mayHold(word) {
		return 0
	}
	if found, ok := s.known[word]; ok {
		return found
	}
	var found uint64
	for _, term := range s.analyzer.Query(word) {
		found |= s.bit[term]
	}
	s.known[word] = found
	return found
}

// mayHold quickly rules out most words: none of their parts begins like a term. Neither stemming nor case changes a
// first letter.
func (s *snippeter) mayHold(word string) bool {
	before := other
	for i := range len(word) {
		class := classOf(word[i])
		begins := class != before || class == upper
		if class == foreign || begins && s.initials[toLower(word[i])] {
			return true
		}
		before = class
	}
	return false
}

// class groups bytes by where the index may split a word.
type class uint8

const (
	other class = iota
	lower
	upper
	digit
	foreign // not ASCII: may fold to anything
)

func classOf(b byte) class {
	switch {
	case b >= utf8.RuneSelf:
		return foreign
	case 'a' <= b && b <= 'z':
		return lower
	case 'A' <= b && b <= 'Z':
		return upper
	case '0' <= b && b <= '9':
		return digit
	}
	return other
}

func toLower(b byte) byte {
	if classOf(b) == upper {
		return b + 'a' - 'A'
	}
	return b
}

// unspaced reports whether r belongs to a script that puts no spaces between words.
func unspaced(r rune) bool {
	return r >= 0x0E00 && unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Hangul,
		unicode.Thai, unicode.Lao, unicode.Khmer, unicode.Myanmar)
}
