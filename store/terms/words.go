package terms

import (
	"iter"
	"sync"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// Words yields the words by which texts are compared exactly: folded, in lower case, not stemmed. A word is a run of
// letters, marks and digits, and each character of a script without spaces is one. Everything else separates, joints
// too: foo-bar and snake_case have two words, and so do O'Neill and O’Neill. A word is valid until the next.
func Words(text string) iter.Seq[[]byte] {
	return func(yield func([]byte) bool) {
		var scratch [256]byte
		word := scratch[:0]
		for i := 0; i < len(text); {
			kind, end := wordAt(text, i)
			word = word[:0]
			switch kind {
			case letter:
				word = appendWord(word, text[i:end])
			case unspaced:
				word = appendRun(word, text[i:end])
			}
			for from, to := foldedWord(word, 0); from < len(word); from, to = foldedWord(word, to) {
				if !yield(word[from:to:to]) {
					return
				}
			}
			i = end
		}
	}
}

// wordAt returns the kind of the character at i, and the end of what begins there: of a word's letters and marks, of a
// run in a script without spaces, of a single character that separates.
func wordAt(text string, i int) (kind, int) {
	kind, size := kindAt(text, i)
	switch kind {
	case letter:
		return kind, wordEnd(text, i+size)
	case unspaced:
		return kind, runEnd(text, i)
	}
	return kind, i + size
}

// wordEnd returns the end of the letters and marks at i.
func wordEnd(text string, i int) int {
	for i < len(text) {
		if kinds[text[i]] == letter {
			i++
			continue
		}
		kind, size := kindAt(text, i)
		if kind != letter && kind != mark {
			break
		}
		i += size
	}
	return i
}

// foldedWord returns the bounds of the next word of a folded token, from i on; from == len(folded) if there is none.
// Folding makes more than one of a ligature such as ⅓ or ﷺ, and of a run in a script without spaces.
func foldedWord(folded []byte, i int) (from, to int) {
	for i < len(folded) {
		r, size := utf8.DecodeRune(folded[i:])
		first := runeKind(r)
		from, i = i, i+size
		if first != letter && first != unspaced {
			continue
		}
		for i < len(folded) {
			r, size := utf8.DecodeRune(folded[i:])
			if next := runeKind(r); next != mark && (next != letter || first == unspaced) {
				break
			}
			i += size
		}
		return from, i
	}
	return i, i
}

// runeKind is kindOf for any character.
func runeKind(r rune) kind {
	if r < utf8.RuneSelf {
		return kinds[r]
	}
	return kindOf(r)
}

// foldedLetters holds the letters below U+0600, folded and in lower case. A word of such letters folds
// to theirs: what normalization would compose are marks, which the table does not have.
var foldedLetters = sync.OnceValue(func() *[0x600]string {
	var table [0x600]string
	for r := rune(utf8.RuneSelf); r < rune(len(table)); r++ {
		if kindOf(r) != letter {
			continue
		}
		folded := lower(nil, fold(string(r)))
		if kind, end := wordAt(string(folded), 0); kind == letter && end == len(folded) {
			table[r] = string(folded)
		}
	}
	return &table
})

// appendWord appends a word of text, folded and in lower case, to dst.
func appendWord(dst []byte, token string) []byte {
	before := len(dst)
	for i := 0; i < len(token); {
		c := token[i]
		if c < utf8.RuneSelf {
			if c >= 'A' && c <= 'Z' {
				c += 'a' - 'A'
			}
			dst = append(dst, c)
			i++
			continue
		}
		r, size := utf8.DecodeRuneInString(token[i:])
		spelled := ""
		if r < 0x600 {
			spelled = foldedLetters()[r]
		}
		if spelled == "" && r != '\u00ad' {
			return lower(dst[:before], fold(token))
		}
		dst = append(dst, spelled...)
		i += size
	}
	return dst
}

// appendRun appends a run in a script without spaces, folded and in lower case, to dst.
func appendRun(dst []byte, run string) []byte {
	if norm.NFKC.QuickSpanString(run) == len(run) && !foldable(run) {
		return append(dst, run...)
	}
	return lower(dst, fold(run))
}

// foldable reports whether folding drops a character of run, which is normalized.
func foldable(run string) bool {
	for _, r := range run {
		if droppable(0, r) {
			return true
		}
	}
	return false
}
