package chat

import (
	"bytes"
	"strings"
	"unicode"
	"unicode/utf16"
	"unicode/utf8"
)

// Databases accept neither NUL nor invalid Unicode, and one character must not cost a conversation. So NUL, lone
// surrogates and invalid UTF-8 become U+FFFD: Clean replaces them in texts, ScrubJSON in the JSON that is kept as Raw.

const replacement = "\uFFFD"

// Clean returns s as valid UTF-8 without NUL.
func Clean(s string) string {
	if !utf8.ValidString(s) {
		s = strings.ToValidUTF8(s, replacement)
	}
	if strings.IndexByte(s, 0) >= 0 {
		s = strings.ReplaceAll(s, "\x00", replacement)
	}
	return s
}

// Tidy is Clean, and also removes empty lines at the start and white space at the end. Leading spaces stay: they may
// indent code.
func Tidy(s string) string {
	return strings.TrimLeft(strings.TrimRightFunc(Clean(s), unicode.IsSpace), "\r\n")
}

// ScrubJSON returns a JSON value as valid UTF-8 without escapes for NUL or half a surrogate pair, and whether it
// replaced anything. If not, it returns raw itself.
func ScrubJSON(raw []byte) ([]byte, bool) {
	scrubbed := false
	if !utf8.Valid(raw) {
		raw, scrubbed = bytes.ToValidUTF8(raw, []byte(replacement)), true
	}
	if !hasDoubtfulEscape(raw) { // several times as fast as a look at every escape
		return raw, scrubbed
	}
	var out []byte
	done := 0
	for i := nextUnicodeEscape(raw, 0); i >= 0; {
		n, bad := checkEscape(raw[i:])
		if bad {
			out = append(append(out, raw[done:i]...), `\ufffd`...)
			done = i + n
		}
		i = nextUnicodeEscape(raw, i+n)
	}
	if done == 0 {
		return raw, scrubbed
	}
	return append(out, raw[done:]...), true
}

// hasDoubtfulEscape reports whether raw has anything like a \uXXXX for NUL or half a surrogate pair.
func hasDoubtfulEscape(raw []byte) bool {
	const size = len(`\uXXXX`)
	for i := 0; ; {
		n := indexPair(raw[i:], '\\', 'u')
		if n < 0 || i+n+size > len(raw) {
			return false
		}
		switch i += n; {
		case raw[i+2]|0x20 == 'd', string(raw[i+2:i+size]) == "0000":
			return true
		}
		i += 2
	}
}

// nextUnicodeEscape returns the offset of the next \uXXXX, -1 for none. from is not within an escape, so that every
// backslash that is found begins one.
func nextUnicodeEscape(raw []byte, from int) int {
	for {
		n := bytes.IndexByte(raw[from:], '\\')
		switch from += n; {
		case n < 0 || from+1 == len(raw):
			return -1
		case raw[from+1] == 'u':
			return from
		}
		from += 2
	}
}

// checkEscape returns the length of the \uXXXX that b begins with, or of a whole surrogate pair, and whether it must be
// replaced.
func checkEscape(b []byte) (n int, bad bool) {
	unit, ok := unicodeEscape(b)
	switch {
	case !ok:
		return 2, false
	case unit == 0:
		return 6, true
	case !utf16.IsSurrogate(unit):
		return 6, false
	}
	if low, ok := unicodeEscape(b[6:]); ok && utf16.DecodeRune(unit, low) != utf8.RuneError {
		return 12, false
	}
	return 6, true
}

// unicodeEscape decodes the \uXXXX that b begins with.
func unicodeEscape(b []byte) (unit rune, ok bool) {
	if len(b) < 6 || b[0] != '\\' || b[1] != 'u' {
		return 0, false
	}
	for _, c := range b[2:6] {
		digit := strings.IndexByte("0123456789abcdef", c|0x20)
		if digit < 0 || (c < 'A' && c > '9') {
			return 0, false
		}
		unit = unit<<4 | rune(digit)
	}
	return unit, true
}
