package retrieval

import (
	"slices"
	"sync"
	"unicode/utf8"

	"lens/store/terms"
)

// Words are the words of a query, by which texts are searched for them as the keyword index was: by their stems, in
// English and in the languages of the archive. It is safe for concurrent use; nil has no words.
type Words struct {
	terms []string
	stems stems

	mu      sync.Mutex
	matcher matcher
}

// mostKnown bounds the words of texts that are remembered, to find them again without stemming.
const mostKnown = 1 << 12

// NewWords returns the words of a query as in an archive that has no language but English.
func NewWords(query string) *Words { return newWords(terms.Query(query), nil) }

func newWords(words []string, by stems) *Words {
	return &Words{terms: words, stems: by, matcher: newMatcher(words, by)}
}

// None reports whether there are no words, as in a search for turns like another.
func (w *Words) None() bool { return w == nil || len(w.terms) == 0 }

// One reports whether it is a single word.
func (w *Words) One() bool { return w != nil && len(w.terms) == 1 }

// Same reports whether two find the same words in every text.
func (w *Words) Same(other *Words) bool {
	if w.None() || other.None() {
		return w.None() == other.None()
	}
	return w == other || slices.Equal(w.terms, other.terms) && slices.Equal(w.stems.facts(), other.stems.facts())
}

// Find returns where a text has words of the query, in bytes and in order: words in any form, and of identifiers that
// are not wholly in the query the words in them that are.
func (w *Words) Find(text string) [][2]int {
	if w.None() {
		return nil
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	m := &w.matcher
	m.analyzer = analyzers.Get().(*terms.Analyzer)
	defer func() {
		analyzers.Put(m.analyzer)
		m.analyzer = nil
	}()
	if len(m.known) > mostKnown {
		clear(m.known)
	}
	var found [][2]int
	for from, to := range terms.Tokens(text) {
		for _, at := range m.inToken(text[from:to]) {
			found = append(found, [2]int{from + at[0], from + at[1]})
		}
	}
	return found
}

// inToken returns what of a token holds terms of the query.
func (m *matcher) inToken(token string) [][2]int {
	if first, _ := utf8.DecodeRuneInString(token); unspaced(first) {
		return m.inRun(token)
	}
	if _, _, found := m.begins.scan([]byte(token), 0); found == 0 || m.terms([]byte(token)) == 0 {
		return nil
	}
	all := [][2]int{{0, len(token)}}
	if whole := m.analyzer.Query(token); m.bit[whole[0]] != 0 {
		return all
	}
	var words [][2]int
	for from, to := range terms.WordsOf(token) {
		if m.terms([]byte(token[from:to])) != 0 {
			words = append(words, [2]int{from, to})
		}
	}
	if len(words) == 0 {
		return all
	}
	return words
}

// inRun returns what of a run in a script without spaces holds terms of the query, which are pairs of characters or
// one. Pairs that overlap are one place.
func (m *matcher) inRun(run string) [][2]int {
	var found [][2]int
	for i := 0; i < len(run); {
		_, size := utf8.DecodeRuneInString(run[i:])
		_, next := utf8.DecodeRuneInString(run[i+size:])
		for _, end := range []int{i + size, i + size + next} {
			if m.terms([]byte(run[i:end])) == 0 {
				continue
			}
			if last := len(found) - 1; last >= 0 && found[last][1] >= i {
				found[last][1] = max(found[last][1], end)
			} else {
				found = append(found, [2]int{i, end})
			}
		}
		i += size
	}
	return found
}
