package terms

import (
	"math/bits"
	"strings"
	"unicode"
	"unicode/utf8"
)

// scan finds the tokens of a text. It calls word for each token of a script with spaces and run for
// each run of characters in a script without. Bytes that are not valid UTF-8 separate.
func scan(text string, word, run func(string)) {
	for i := 0; i < len(text); {
		kind, end := next(text, i)
		switch kind {
		case letter:
			word(text[i:end])
		case unspaced:
			run(text[i:end])
		}
		i = end
	}
}

// next returns the kind and the end of what begins at i: a token of a script with spaces (letter), a run of characters
// in a script without (unspaced), or a character that is part of neither.
func next(text string, i int) (kind, int) {
	kind, size := kindAt(text, i)
	switch kind {
	case letter:
		return kind, tokenEnd(text, i)
	case unspaced:
		return kind, runEnd(text, i)
	}
	return kind, i + size
}

// separatesAt reports whether the byte at i surely ends a token: most that are neither letters nor joints, and joints
// before such a byte.
func separatesAt(text string, i int) bool {
	switch c := text[i]; kinds[c] {
	case other:
		return c != '#' && c != '+'
	case joint:
		return i+1 < len(text) && kinds[text[i+1]] == other
	}
	return false
}

// lettersOf returns how many of eight bytes, from the lowest on, are letters and digits of ASCII.
func lettersOf(bytes uint64) int { return bits.TrailingZeros64(lettersIn(bytes)^highest) / 8 }

const ones, highest = 0x0101010101010101, 0x8080808080808080 // of each byte

// lettersIn returns the highest bits of those of eight bytes that are letters and digits of ASCII. A byte of at most
// 127 is at least lo when adding 128 − lo sets its highest bit.
func lettersIn(bytes uint64) uint64 {
	plain := bytes &^ highest
	lower := plain | ones*0x20
	letters := (lower + ones*(128-'a')) &^ (lower + ones*(127-'z'))
	digits := (plain + ones*(128-'0')) &^ (plain + ones*(127-'9'))
	return (letters | digits) & highest &^ bytes
}

// kind is the role of a character in a token.
type kind uint8

const (
	other    kind = iota // separates
	letter               // opens and continues a token; digits too
	mark                 // only continues: combining marks and invisible formatting
	joint                // continues a token when a letter follows
	unspaced             // part of a script without spaces
	wide                 // of a byte: part of a multi-byte character
)

// kinds holds the kinds of bytes.
var kinds = func() (kinds [256]kind) {
	for c := range kinds {
		switch {
		case c >= utf8.RuneSelf:
			kinds[c] = wide
		case c >= 'a' && c <= 'z', c >= 'A' && c <= 'Z', c >= '0' && c <= '9':
			kinds[c] = letter
		}
	}
	for _, c := range `_-./:@'&\` {
		kinds[c] = joint
	}
	return kinds
}()

// kindAt returns the kind of the character at text[i] and its length in bytes.
func kindAt(text string, i int) (kind, int) {
	if kind := kinds[text[i]]; kind != wide {
		return kind, 1
	}
	return wideKind(text[i:])
}

func wideKind(text string) (kind, int) {
	r, size := utf8.DecodeRuneInString(text)
	return kindOf(r), size
}

func kindOf(r rune) kind {
	switch {
	case r == '’' || r == 'ʼ' || r == '‐' || r == '‑':
		return joint
	case r == '\u00ad' || r >= '\u200b' && r <= '\u200d' || r == '\u2060' || r == '\ufeff':
		return mark
	case r < 0xc0 && r != 'ª' && r != 'º' && r != 'µ', r == utf8.RuneError:
		return other
	case r > '‑' && r < '\u2060': // quotes, dashes and spaces, the most frequent of all
		return other
	case r >= firstSpaceless && unicode.In(r, spaceless...):
		return unspaced
	case unicode.IsLetter(r), unicode.IsNumber(r):
		return letter
	case unicode.IsMark(r):
		return mark
	}
	return other
}

// tokenEnd returns the end of the token that begins at i.
func tokenEnd(text string, i int) int {
	for len(text)-i >= 8 {
		n := lettersOf(eightBytes(text, i))
		i += n
		if n < 8 {
			break
		}
	}
	for i < len(text) {
		switch c := text[i]; kinds[c] { // nearly always one of these, and faster than kindAt
		case letter:
			i++
			continue
		case other:
			if c != '#' && c != '+' {
				return i
			}
		}
		kind, size := kindAt(text, i)
		switch kind {
		case letter, mark:
			i += size
		case joint:
			next := jointEnd(text, i, size)
			if next == i {
				return i
			}
			i = next
		default:
			return tailEnd(text, i)
		}
	}
	return i
}

// jointEnd returns the end of the joint at i if a letter follows it, otherwise i. "::" and "__" are
// one joint.
func jointEnd(text string, i, size int) int {
	end := i + size
	if c := text[i]; (c == ':' || c == '_') && end < len(text) && text[end] == c {
		end++
	}
	if end < len(text) {
		if kind, _ := kindAt(text, end); kind == letter {
			return end
		}
	}
	return i
}

// tailEnd includes the tail of C++ and C#.
func tailEnd(text string, i int) int {
	end := i
	switch {
	case text[i] == '#':
		end += len("#")
	case strings.HasPrefix(text[i:], "++"):
		end += len("++")
	default:
		return i
	}
	if end < len(text) {
		if kind, _ := kindAt(text, end); kind == letter || kind == unspaced {
			return i
		}
	}
	return end
}

// runEnd returns the end of the run that begins at i in a script without spaces.
func runEnd(text string, i int) int {
	for i < len(text) {
		kind, size := kindAt(text, i)
		if kind != unspaced && kind != mark {
			break
		}
		i += size
	}
	return i
}
