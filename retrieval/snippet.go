package retrieval

import (
	"math/bits"
	"unicode"
	"unicode/utf8"
)

// The shape of a snippet, in runes, and how much of a text is looked at for it, in bytes.
const (
	snippetRunes = 160 // at most, ellipses included
	snippetLead  = 24  // shown before the first term
	snippetTail  = 24  // dropped at the end, at most, to end with a whole word
	snippetReach = 16 << 10
)

// snippet returns about 160 runes of text that begin near its densest query terms, or at its start when it has
// none. White space is folded; ellipses mark omissions.
func (s *snippeter) snippet(text string) string {
	reach := text
	if len(reach) > snippetReach {
		reach = wholeRunes(reach[:snippetReach])
	}
	s.folded.fold(reach)
	complete := len(reach) == len(text)
	if s.folded.runes <= snippetRunes && complete {
		return string(s.folded.text)
	}
	return s.folded.excerpt(min(s.start(), max(0, s.folded.runes-snippetRunes+1)), complete)
}

// start returns the rune at which an excerpt of the folded text should begin.
func (s *snippeter) start() int {
	s.findHits()
	best, from := -1, 0
	for i, h := range s.hits {
		if worth := scoreHits(s.hits[i:], h.start+snippetRunes-snippetLead); worth > best {
			best, from = worth, h.start
		}
	}
	return max(0, from-snippetLead)
}

// scoreHits rates the hits that end before a rune: by different terms first, then by number of hits.
func scoreHits(hits []hit, before int) int {
	var seen uint64
	n := 0
	for _, h := range hits {
		if h.end > before {
			break
		}
		seen |= h.terms
		n++
	}
	return bits.OnesCount64(seen)<<16 + n
}

// isCombining reports whether r belongs to the character before it: a mark, a joiner, a variation selector, a skin
// tone.
func isCombining(r rune) bool {
	return r == '\u200d' || unicode.Is(unicode.M, r) || r >= 0x1F3FB && r <= 0x1F3FF
}

// wholeRunes drops a partial rune at the end of s.
func wholeRunes(s string) string {
	for i := 0; i < utf8.UTFMax && s != ""; i++ {
		if r, size := utf8.DecodeLastRuneInString(s); r != utf8.RuneError || size > 1 {
			break
		}
		s = s[:len(s)-1]
	}
	return s
}
