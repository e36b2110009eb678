package terms

import (
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// fold normalizes a token that is not ASCII: NFKC, without accents, vowel points and invisible
// formatting, with plain joints. It keeps the case, which splitCamelCase needs.
func fold(token string) []byte {
	plain := make([]byte, 0, len(token)+8)
	base := rune(0)
	for _, r := range norm.NFKD.String(token) {
		if droppable(base, r) {
			continue
		}
		base = r
		plain = appendFolded(plain, r)
	}
	return norm.NFC.Bytes(plain)
}

// droppable reports whether a search should ignore r after the letter base.
func droppable(base, r rune) bool {
	switch {
	case r >= 0x300 && r <= 0x36f: // accents, except in й, which is a letter
		return !(r == 0x306 && (base == 'и' || base == 'И'))
	case r >= 0x591 && r <= 0x5c7, r >= 0x64b && r <= 0x65f, r == 0x670: // Hebrew points, Arabic vowels
		return true
	case r == 0x640, r == 0xad, r >= 0x200b && r <= 0x200d, r == 0x2060, r == 0xfeff: // tatweel, soft hyphen, zero width
		return true
	case r >= 0xfe00 && r <= 0xfe0f: // variation selectors
		return true
	}
	return false
}

// appendFolded appends r, spelled out if it is a letter without a decomposition.
func appendFolded(b []byte, r rune) []byte {
	switch r {
	case '’', 'ʼ':
		return append(b, '\'')
	case '‐', '‑':
		return append(b, '-')
	case 'ß', 'ẞ':
		return append(b, "ss"...)
	case 'æ', 'Æ':
		return append(b, "ae"...)
	case 'œ', 'Œ':
		return append(b, "oe"...)
	case 'ø', 'Ø':
		return append(b, 'o')
	case 'ł', 'Ł':
		return append(b, 'l')
	case 'đ', 'Đ', 'ð', 'Ð':
		return append(b, 'd')
	case 'þ', 'Þ':
		return append(b, "th"...)
	case 'ı':
		return append(b, 'i')
	case 'ς':
		return utf8.AppendRune(b, 'σ')
	}
	return utf8.AppendRune(b, r)
}

// lower appends the lower case of a folded word to dst.
func lower(dst, word []byte) []byte {
	for i, c := range word {
		if c >= utf8.RuneSelf {
			for _, r := range string(word[i:]) {
				dst = utf8.AppendRune(dst, unicode.ToLower(r))
			}
			return dst
		}
		if c >= 'A' && c <= 'Z' {
			c += 'a' - 'A'
		}
		dst = append(dst, c)
	}
	return dst
}

// isASCII reports whether every byte of s is.
func isASCII[T string | []byte](s T) bool {
	for i := range len(s) {
		if s[i] >= utf8.RuneSelf {
			return false
		}
	}
	return true
}
