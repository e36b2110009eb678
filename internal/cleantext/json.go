package cleantext

import (
	"fmt"
	"unicode/utf16"
	"unicode/utf8"
)

// JSON cleans JSON text of any number of lines. What Text would make visible becomes an escape of JSON instead, so that the text still
// means the same value, to the last character: U+202E becomes \u202e, U+E0041 \udb40\udc41. A byte that is not UTF-8, which JSON
// decoders read as U+FFFD, becomes that. The result is clean in the sense of Text; text that is no JSON is made clean all the same.
func JSON(s string) string {
	return clean(s, func(r rune, _ string) string {
		switch r {
		case utf8.RuneError:
			return string(r)
		case '\r': // space between values: inside of strings it is an escape already
			return " "
		}
		return escaped(r)
	})
}

// escaped returns the escape of a rune inside of a JSON string.
func escaped(r rune) string {
	if high, low := utf16.EncodeRune(r); high != utf8.RuneError {
		return fmt.Sprintf(`\u%04x\u%04x`, high, low)
	}
	return fmt.Sprintf(`\u%04x`, r)
}
