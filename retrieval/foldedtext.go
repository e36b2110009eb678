package retrieval

import (
	"bytes"
	"unicode"
	"unicode/utf8"
)

// foldedText is a text in which each run of white space is one blank, without any at its ends. It is reused for one
// text after the other.
type foldedText struct {
	text  []byte
	runes int
}

// fold replaces the text.
func (f *foldedText) fold(text string) {
	f.text = f.text[:0]
	for i := nextNonSpace(text, 0); i < len(text); i = nextNonSpace(text, i) {
		if len(f.text) > 0 {
			f.text = append(f.text, ' ')
		}
		end := foldedEnd(text, i)
		f.text, i = append(f.text, text[i:end]...), end
	}
	f.runes = utf8.RuneCount(f.text)
}

// foldedEnd returns the end of what is folded already: of words with a single blank between them.
func foldedEnd(text string, i int) int {
	for i < len(text) {
		switch c := text[i]; {
		case isPrintable(c):
			i++
		case c == ' ' && i+1 < len(text) && isPrintable(text[i+1]):
			i += len(" ") + 1
		default:
			size, space := spaceAt(text, i)
			if space {
				return i
			}
			i += size
		}
	}
	return i
}

// isPrintable reports whether a byte is a visible character of ASCII.
func isPrintable(c byte) bool { return c > ' ' && c < utf8.RuneSelf }

// nextNonSpace returns where the white space at i ends.
func nextNonSpace(text string, i int) int {
	for i < len(text) {
		size, space := spaceAt(text, i)
		if !space {
			break
		}
		i += size
	}
	return i
}

// spaceAt reports whether the character at i is white space, and its size in bytes.
func spaceAt(text string, i int) (size int, space bool) {
	r, size := utf8.DecodeRuneInString(text[i:])
	return size, unicode.IsSpace(r)
}

// excerpt returns up to 160 runes from a rune on, in whole words where that costs little. complete says that the whole
// text was folded.
func (f *foldedText) excerpt(from int, complete bool) string {
	rest, left := f.text, f.runes // bytes and runes
	room := snippetRunes
	front, back := "", ""
	if from > 0 {
		rest = nextWord(rest[f.offset(from):])
		left = f.count(rest)
		front, room = "…", room-1
	}
	if left > room || !complete {
		rest, back = lastWord(rest[:byteOffset(rest, room-1)]), "…"
	}
	return front + string(rest) + back
}

// offset returns where the n-th rune begins.
func (f *foldedText) offset(n int) int {
	if f.isASCII() {
		return n
	}
	return byteOffset(f.text, n)
}

// count returns the number of runes of a piece of the text.
func (f *foldedText) count(piece []byte) int {
	if f.isASCII() {
		return len(piece)
	}
	return utf8.RuneCount(piece)
}

func (f *foldedText) isASCII() bool { return f.runes == len(f.text) }

// byteOffset returns where the n-th rune of s begins, len(s) when there are fewer.
func byteOffset(s []byte, n int) int {
	i := 0
	for ; i < len(s) && n > 0; n-- {
		_, size := utf8.DecodeRune(s[i:])
		i += size
	}
	return i
}

// nextWord drops a partial word at the start, or at least combining characters.
func nextWord(s []byte) []byte {
	if i := bytes.IndexByte(s, ' '); i >= 0 && utf8.RuneCount(s[:i]) < snippetLead {
		return s[i+1:]
	}
	return bytes.TrimLeftFunc(s, isCombining)
}

// lastWord drops a partial word at the end, or at least a character that may be incomplete.
func lastWord(s []byte) []byte {
	if i := bytes.LastIndexByte(s, ' '); i > 0 && utf8.RuneCount(s[i:]) <= snippetTail {
		return s[:i]
	}
	return bytes.TrimRightFunc(s, isCombining)
}
