package cleantext

import (
	"fmt"
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

// JSON cleans JSON text of any number of lines. What Text would make visible becomes an escape of JSON instead, so that the text still
// means the same value, to the last character: U+202E becomes \u202e, U+E0041 \udb40\udc41. A byte that is not UTF-8, which JSON
// decoders read as U+FFFD, becomes that. The result is clean in the sense of Text; text that is no JSON is made clean all the same.
func JSON(s string) string {
	at := firstDirty(s)
	if at == len(s) {
		return s
	}
	var b strings.Builder
	b.Grow(len(s) + 16)
	b.WriteString(s[:at])
	for at < len(s) {
		r, size := utf8.DecodeRuneInString(s[at:])
		switch {
		case isClean(r, size):
			b.WriteString(s[at : at+size])
		case r == utf8.RuneError:
			b.WriteRune(r)
		case r == '\r': // space between values: inside of strings it is an escape already
			b.WriteByte(' ')
		default:
			b.WriteString(escaped(r))
		}
		at += size
	}
	return b.String()
}

// escaped returns the escape of a rune inside of a JSON string.
func escaped(r rune) string {
	if high, low := utf16.EncodeRune(r); high != utf8.RuneError {
		return fmt.Sprintf(`\u%04x\u%04x`, high, low)
	}
	return fmt.Sprintf(`\u%04x`, r)
}
