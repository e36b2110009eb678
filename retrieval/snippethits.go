package retrieval

import (
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	"lens/store/terms"
)

// matcher tells which words hold terms of a query, by the rules of the index. It is not safe for concurrent use.
type matcher struct {
	bit      map[string]uint64 // of each term of the query; the first 64 count
	begins   beginnings        // of those terms
	analyzer *terms.Analyzer
	stems    stems             // of the query
	known    map[string]uint64 // words seen so far
}

// snippeter finds the terms of one query in texts. It is not safe for concurrent use.
type snippeter struct {
	matcher
	folded foldedText // the current text
	hits   []hit      // in it
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

// snippeters keep the memory of texts.
var snippeters = sync.Pool{New: func() any { return new(snippeter) }}

func newSnippeter(words []string, by stems) *snippeter {
	s := snippeters.Get().(*snippeter)
	s.matcher = newMatcher(words, by)
	s.analyzer = analyzers.Get().(*terms.Analyzer)
	return s
}

// newMatcher returns a matcher without an analyzer.
func newMatcher(words []string, by stems) matcher {
	m := matcher{bit: make(map[string]uint64, len(words)), stems: by, known: map[string]uint64{}}
	for i, term := range words {
		m.bit[term] = 1 << min(i, 63)
		m.begins.add(term)
	}
	for _, fact := range by.facts() {
		_, stem, _ := strings.Cut(fact, "=")
		m.begins.add(stem)
	}
	return m
}

// release returns analyzer and memory for the next query. s must not be used afterwards.
func (s *snippeter) release() {
	analyzers.Put(s.analyzer)
	s.analyzer = nil
	snippeters.Put(s)
}

// findHits finds the words of the folded text that hold terms of the query. In scripts without spaces each pair of
// characters counts as a word, as it does in the index.
func (s *snippeter) findHits() {
	s.hits = s.hits[:0]
	if len(s.bit) == 0 {
		return
	}
	text := s.folded.text
	for at, n := 0, 0; at < len(text) && len(s.hits) < maxHits; at, n = at+1, n+1 { // at and n skip a blank
		end, runes, found := s.begins.scan(text, at)
		if found == foreignWord {
			at, n = s.findInWord(at, n)
			continue
		}
		if found == mayHold {
			s.add(at, end, n, n+runes)
		}
		at, n = end, n+runes
	}
}

// findInWord adds the hits of the word that begins at a byte and a rune, and returns where it ends.
func (s *snippeter) findInWord(at, n int) (end, endRune int) {
	text := s.folded.text
	from, fromRune := at, n // of what has no unspaced character
	for at < len(text) && text[at] != ' ' && len(s.hits) < maxHits {
		r, size := utf8.DecodeRune(text[at:])
		if unspaced(r) {
			s.addPiece(from, at, fromRune, n)
			from, fromRune = at+size, n+1
			_, next := utf8.DecodeRune(text[at+size:])
			s.add(at, at+size, n, n+1)
			s.add(at, at+size+next, n, n+2)
		}
		at, n = at+size, n+1
	}
	s.addPiece(from, at, fromRune, n)
	return at, n
}

// addPiece is add for a piece of a word that begins may rule out.
func (s *snippeter) addPiece(from, to, fromRune, toRune int) {
	if from == to {
		return
	}
	if _, _, found := s.begins.scan(s.folded.text[:to], from); found != 0 {
		s.add(from, to, fromRune, toRune)
	}
}

// add adds a word of the folded text, in bytes and in runes, if it holds terms.
func (s *snippeter) add(from, to, fromRune, toRune int) {
	if terms := s.terms(s.folded.text[from:to]); terms != 0 && len(s.hits) < maxHits {
		s.hits = append(s.hits, hit{fromRune, toRune, terms})
	}
}

// terms returns the terms of the query that word holds.
func (m *matcher) terms(word []byte) uint64 {
	if found, ok := m.known[string(word)]; ok {
		return found
	}
	var found uint64
	for _, term := range m.analyzer.Query(string(word)) {
		found |= m.bit[term]
	}
	m.stems.each(m.analyzer, string(word), func(term string) { found |= m.bit[term] })
	m.known[string(word)] = found
	return found
}

// unspaced reports whether r belongs to a script that puts no spaces between words.
func unspaced(r rune) bool {
	return r >= 0x0E00 && unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Hangul,
		unicode.Thai, unicode.Lao, unicode.Khmer, unicode.Myanmar)
}
