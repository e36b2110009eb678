package terms

import (
	"strings"
	"unicode/utf8"
)

// Phrase is a phrase, or a single word, that texts are searched for. It occurs where its Words are consecutive words of
// a text, across punctuation and line breaks. It is safe for concurrent use.
type Phrase struct {
	words []string
	back  []int // by number of words that match: how many of their last ones begin the phrase again (Knuth–Morris–Pratt)

	ascii  bool
	anchor int  // the word that an ASCII phrase is looked for by: the longest
	at     int  // where in it
	rare   byte // its rarest letter is
}

// NewPhrase returns the phrase of text. Without a word in text, it is empty.
func NewPhrase(text string) *Phrase {
	p := &Phrase{ascii: true}
	for word := range Words(text) {
		p.words = append(p.words, string(word))
	}
	p.back = make([]int, len(p.words)+1)
	for i, word := range p.words {
		p.ascii = p.ascii && isASCII(word)
		if len(word) > len(p.words[p.anchor]) {
			p.anchor = i
		}
		if i > 0 {
			p.back[i+1] = advance(p, p.back[i], word)
		}
	}
	if p.ascii && !p.Empty() {
		p.aim()
	}
	return p
}

// aim chooses the letter that is searched for.
func (p *Phrase) aim() {
	const frequent = "etaoinsrhldcumfpgwybvkxjqz" // in English; a digit is rarer than most
	best := -1
	for i, c := range []byte(p.words[p.anchor]) {
		rank := strings.IndexByte(frequent, c)
		if rank < 0 {
			rank = strings.IndexByte(frequent, 'v')
		}
		if rank > best {
			best, p.at, p.rare = rank, i, c
		}
	}
}

// Empty reports whether the phrase has no words. Such a phrase occurs nowhere.
func (p *Phrase) Empty() bool { return len(p.words) == 0 }

// In reports whether the phrase occurs in text.
//
// The words of an ASCII phrase are found among the bytes, many at a time. What else can fold to one of them has a
// letter or mark in it that is not ASCII: where that matters, the whole text is read word by word.
func (p *Phrase) In(text string) bool {
	if p.Empty() || len(text) < len(p.words) {
		return false
	}
	wide := firstWide(text, 0)
	if !p.ascii {
		return wide < len(text) && p.read(text)
	}
	switch p.search(text) {
	case found:
		return true
	case unclear:
		return p.read(text)
	}
	return p.hidden(text, wide) && p.read(text)
}

// read looks for the phrase word by word.
func (p *Phrase) read(text string) bool {
	var scratch [256]byte
	word := scratch[:0]
	matched := 0
	for i := 0; i < len(text) && matched < len(p.words); {
		kind, end := wordAt(text, i)
		token := text[i:end]
		i, word = end, word[:0]
		switch {
		case kind == letter && isASCII(token):
			matched = advance(p, matched, token)
			continue
		case kind == letter:
			word = appendWord(word, token)
		case kind == unspaced:
			word = appendRun(word, token)
		}
		for from, to := foldedWord(word, 0); from < len(word) && matched < len(p.words); from, to = foldedWord(word, to) {
			matched = advance(p, matched, word[from:to])
		}
	}
	return matched == len(p.words)
}

// advance returns how many words match after one more, the number before being matched.
func advance[T string | []byte](p *Phrase, matched int, word T) int {
	for {
		if isWord(p.words[matched], word) {
			return matched + 1
		}
		if matched == 0 {
			return 0
		}
		matched = p.back[matched]
	}
}

// isWord reports whether token is word but for the case of its ASCII letters.
func isWord[T string | []byte](word string, token T) bool {
	if len(word) != len(token) {
		return false
	}
	for i := range len(word) {
		c := token[i]
		if c >= 'A' && c <= 'Z' {
			c += 'a' - 'A'
		}
		if c != word[i] {
			return false
		}
	}
	return true
}

// outcome is what the bytes of a text tell.
type outcome uint8

const (
	absent outcome = iota
	found
	unclear // words that are not ASCII have to be read
)

// search looks for a phrase of ASCII words that are ASCII in text too.
func (p *Phrase) search(text string) outcome {
	upper := p.rare
	if upper >= 'a' {
		upper -= 'a' - 'A'
	}
	small, capital := indexFrom(text, 0, p.rare), len(text)
	if upper != p.rare {
		capital = indexFrom(text, 0, upper)
	}
	for {
		i := min(small, capital)
		if i == len(text) {
			return absent
		}
		if start := i - p.at; start >= 0 {
			if verdict := p.around(text, start); verdict != absent {
				return verdict
			}
		}
		if i == small {
			small = indexFrom(text, i+1, p.rare)
		} else {
			capital = indexFrom(text, i+1, upper)
		}
	}
}

// indexFrom returns the first c at or after i, len(text) if there is none.
func indexFrom(text string, i int, c byte) int {
	if n := strings.IndexByte(text[i:], c); n >= 0 {
		return i + n
	}
	return len(text)
}

// around compares the words around one that would begin at start.
func (p *Phrase) around(text string, start int) outcome {
	anchor := p.words[p.anchor]
	end := start + len(anchor)
	if end > len(text) || !endsAt(text, end) || !beginsAt(text, start) || !isWord(anchor, text[start:end]) {
		return absent
	}
	for i := p.anchor - 1; i >= 0; i-- {
		from, to, clear := previousWord(text, start)
		if !clear {
			return unclear
		}
		if !isWord(p.words[i], text[from:to]) {
			return absent
		}
		start = from
	}
	for _, word := range p.words[p.anchor+1:] {
		from, to, clear := nextWord(text, end)
		if !clear {
			return unclear
		}
		if !isWord(word, text[from:to]) {
			return absent
		}
		end = to
	}
	return found
}

// beginsAt reports whether nothing before i continues a word.
func beginsAt(text string, i int) bool {
	kind, _ := kindBefore(text, i)
	return kind != letter && kind != mark
}

// endsAt reports whether nothing from i on continues a word.
func endsAt(text string, i int) bool {
	if i == len(text) {
		return true
	}
	kind, _ := kindAt(text, i)
	return kind != letter && kind != mark
}

// kindBefore returns the kind of the character that ends at i, and its length in bytes; other at the start.
func kindBefore(text string, i int) (kind, int) {
	if i == 0 {
		return other, 0
	}
	if kind := kinds[text[i-1]]; kind != wide {
		return kind, 1
	}
	r, size := utf8.DecodeLastRuneInString(text[:i])
	return kindOf(r), size
}

// previousWord returns the word that ends at or before i, an empty one if there is none. clear says that it and what is
// between are ASCII, or separate.
func previousWord(text string, i int) (from, to int, clear bool) {
	for i > 0 && kinds[text[i-1]] != letter {
		kind, size := kindBefore(text, i)
		if kind != other && kind != joint {
			return 0, 0, false
		}
		i -= size
	}
	to = i
	for i > 0 && kinds[text[i-1]] == letter {
		i--
	}
	return i, to, beginsAt(text, i)
}

// nextWord is previousWord for the word that begins at or after i.
func nextWord(text string, i int) (from, to int, clear bool) {
	for i < len(text) && kinds[text[i]] != letter {
		kind, size := kindAt(text, i)
		if kind != other && kind != joint {
			return 0, 0, false
		}
		i += size
	}
	from = i
	for i < len(text) && kinds[text[i]] == letter {
		i++
	}
	return from, i, endsAt(text, i)
}

// hidden reports whether a word of text with marks, or with letters that are not ASCII, folds to the one that is
// searched for. The first character that is not ASCII is at i.
func (p *Phrase) hidden(text string, i int) bool {
	var scratch [256]byte
	word := scratch[:0]
	for i < len(text) {
		kind, size := wideKind(text[i:])
		start, end := i, i+size
		switch kind {
		case unspaced: // folds to nothing that is ASCII, but may end with a mark
			start = runEnd(text, i)
			end = wordEnd(text, start)
		case letter, mark:
			for start > 0 && kinds[text[start-1]] == letter {
				start--
			}
			end = wordEnd(text, i)
		default:
			start = end
		}
		if start < end {
			word = appendWord(word[:0], text[start:end])
			if p.anchoredBy(word) {
				return true
			}
		}
		i = firstWide(text, end)
	}
	return false
}

// anchoredBy reports whether a folded token has the word that is searched for.
func (p *Phrase) anchoredBy(token []byte) bool {
	for from, to := foldedWord(token, 0); from < len(token); from, to = foldedWord(token, to) {
		if string(token[from:to]) == p.words[p.anchor] {
			return true
		}
	}
	return false
}

// firstWide returns where the first character that is not ASCII begins, at or after i; len(text) if there is none.
func firstWide(text string, i int) int {
	const high = 0x8080808080808080
	for ; i+8 <= len(text); i += 8 {
		b := text[i : i+8]
		eight := uint64(b[0]) | uint64(b[1])<<8 | uint64(b[2])<<16 | uint64(b[3])<<24 |
			uint64(b[4])<<32 | uint64(b[5])<<40 | uint64(b[6])<<48 | uint64(b[7])<<56
		if eight&high != 0 {
			break
		}
	}
	for i < len(text) && text[i] < utf8.RuneSelf {
		i++
	}
	return i
}
