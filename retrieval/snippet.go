package retrieval

import (
	"math/bits"
	"strings"
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
	folded := strings.Join(strings.Fields(reach), " ")
	runes := utf8.RuneCountInString(folded)
	complete := len(reach) == len(text)
	if runes <= snippetRunes && complete {
		return folded
	}
	from := s.start(folded)
	return excerpt(folded, min(from, max(0, runes-snippetRunes+1)), complete)
}

// start returns the rune at which an excerpt of folded should begin.
func (s *snippeter) start(folded string) int {
	hits := s.hits(folded)
	best, from := -1, 0
	for i, h := range hits {
		if worth := scoreHits(hits[i:], h.start+snippetRunes-snippetLead); worth > best {
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

// excerpt returns up to 160 runes of folded from a rune on, in whole words where that costs little. complete says
// that the text ends with folded.
func excerpt(folded string, from int, complete bool) string {
	rest := folded
	room := snippetRunes
	if from > 0 {
		rest = nextWord(folded[byteOffset(folded, from):])
		room--
	}
	shown := rest
	if cut := utf8.RuneCountInString(rest) > room; cut || !complete {
		shown = lastWord(rest[:byteOffset(rest, room-1)]) + "…"
	}
	if from > 0 {
		shown = "…" + shown
	}
	return shown
}

// byteOffset returns where the n-th rune of s begins, len(s) when there are fewer.
func byteOffset(s string, n int) int {
	for i := range s {
		if n == 0 {
			return i
		}
		n--
	}
	return len(s)
}

// nextWord drops a partial word at the start, or at least combining characters.
func nextWord(s string) string {
	if i := strings.IndexByte(s, ' '); i >= 0 && utf8.RuneCountInString(s[:i]) < snippetLead {
		return s[i+1:]
	}
	return strings.TrimLeftFunc(s, isCombining)
}

// lastWord drops a partial word at the end, or at least a character that may be incomplete.
func lastWord(s string) string {
	if i := strings.LastIndexByte(s, ' '); i > 0 && utf8.RuneCountInString(s[i:]) <= snippetTail {
		return s[:i]
	}
	return strings.TrimRightFunc(s, isCombining)
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
