package retrieval

import (
	"strings"
	"unicode/utf8"

	"lens/store/terms"
)

// plainSnippeter is the definition of a snippet: it folds the text in one go and analyzes every word.
type plainSnippeter struct {
	bit      map[string]uint64
	analyzer terms.Analyzer
}

func newPlainSnippeter(words []string) *plainSnippeter {
	s := &plainSnippeter{bit: map[string]uint64{}}
	for i, term := range words {
		s.bit[term] = 1 << min(i, 63)
	}
	return s
}

func (s *plainSnippeter) snippet(text string) string {
	reach := text
	if len(reach) > snippetReach {
		reach = wholeRunes(reach[:snippetReach])
	}
	folded := strings.Join(strings.Fields(reach), " ")
	runes := utf8.RuneCountInString(folded)
	complete := len(reach) == len(text)
	if runes <= snippetRunes && complete {
		return folded
	}
	from := s.start(folded)
	return plainExcerpt(folded, min(from, max(0, runes-snippetRunes+1)), complete)
}

func (s *plainSnippeter) start(folded string) int {
	hits := s.hits(folded)
	best, from := -1, 0
	for i, h := range hits {
		if worth := scoreHits(hits[i:], h.start+snippetRunes-snippetLead); worth > best {
			best, from = worth, h.start
		}
	}
	return max(0, from-snippetLead)
}

func (s *plainSnippeter) hits(folded string) []hit {
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

func (s *plainSnippeter) terms(word string) (found uint64) {
	for _, term := range s.analyzer.Query(word) {
		found |= s.bit[term]
	}
	return found
}

func plainExcerpt(folded string, from int, complete bool) string {
	rest := folded
	room := snippetRunes
	if from > 0 {
		rest = plainNextWord(folded[plainOffset(folded, from):])
		room--
	}
	shown := rest
	if cut := utf8.RuneCountInString(rest) > room; cut || !complete {
		shown = plainLastWord(rest[:plainOffset(rest, room-1)]) + "…"
	}
	if from > 0 {
		shown = "…" + shown
	}
	return shown
}

func plainOffset(s string, n int) int {
	for i := range s {
		if n == 0 {
			return i
		}
		n--
	}
	return len(s)
}

func plainNextWord(s string) string {
	if i := strings.IndexByte(s, ' '); i >= 0 && utf8.RuneCountInString(s[:i]) < snippetLead {
		return s[i+1:]
	}
	return strings.TrimLeftFunc(s, isCombining)
}

func plainLastWord(s string) string {
	if i := strings.LastIndexByte(s, ' '); i > 0 && utf8.RuneCountInString(s[i:]) <= snippetTail {
		return s[:i]
	}
	return strings.TrimRightFunc(s, isCombining)
}
