package local

import (
	"iter"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// bertNormalizer is how BERT cleans a text.
type bertNormalizer struct{ clean, splitChinese, stripAccents, lower bool }

// normalize cleans, separates Chinese characters, strips accents and lowers case, in this order.
func (n *bertNormalizer) normalize(text string) string {
	var b strings.Builder
	b.Grow(len(text) + 16)
	for _, r := range text {
		switch {
		case n.clean && (r == 0 || r == utf8.RuneError || isControl(r)):
		case n.clean && unicode.IsSpace(r):
			b.WriteByte(' ')
		case n.splitChinese && isChinese(r):
			b.WriteByte(' ')
			b.WriteRune(r)
			b.WriteByte(' ')
		default:
			b.WriteRune(r)
		}
	}
	text = b.String()
	if n.stripAccents && !isASCII(text) {
		text = strings.Map(dropMark, norm.NFD.String(text))
	}
	if n.lower {
		text = strings.ToLower(text)
	}
	return text
}

func dropMark(r rune) rune {
	if unicode.Is(unicode.Mn, r) {
		return -1
	}
	return r
}

func isASCII(s string) bool {
	for i := range len(s) {
		if s[i] >= utf8.RuneSelf {
			return false
		}
	}
	return true
}

// isControl reports control, format, private and surrogate characters, except those that count as blanks.
func isControl(r rune) bool {
	return r != '\t' && r != '\n' && r != '\r' && unicode.Is(unicode.C, r)
}

// isChinese reports the blocks of CJK ideographs that BERT sets apart; not kana and hangul.
func isChinese(r rune) bool {
	return r >= 0x4E00 && r <= 0x9FFF || r >= 0x3400 && r <= 0x4DBF || r >= 0xF900 && r <= 0xFAFF ||
		r >= 0x20000 && r <= 0x2A6DF || r >= 0x2A700 && r <= 0x2CEAF || r >= 0x2F800 && r <= 0x2FA1F
}

func isPunctuation(r rune) bool {
	if r < utf8.RuneSelf {
		return r >= '!' && r <= '/' || r >= ':' && r <= '@' || r >= '[' && r <= '`' || r >= '{' && r <= '~'
	}
	return unicode.IsPunct(r)
}

// words yields the words and the single punctuation marks of text.
func words(text string) iter.Seq[string] {
	return func(yield func(string) bool) {
		start := -1
		for i, r := range text {
			blank, mark := r == ' ' || unicode.IsSpace(r), isPunctuation(r)
			if !blank && !mark {
				if start < 0 {
					start = i
				}
				continue
			}
			if start >= 0 && !yield(text[start:i]) {
				return
			}
			start = -1
			if mark && !yield(text[i:i+utf8.RuneLen(r)]) {
				return
			}
		}
		if start >= 0 {
			yield(text[start:])
		}
	}
}
