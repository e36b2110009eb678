package cleantext

import (
	"fmt"
	"unicode/utf16"
	"unicode/utf8"
)

// JSON sanitizes JSON text of any number of lines. What Text would make visible becomes a JSON escape, so that the text
// keeps its exact meaning: U+202E becomes \u202e, U+E0041 becomes \udb40\udc41. An invalid byte becomes U+FFFD, as JSON
// decoders read it. The result is clean in the sense of Text, even if the input is not JSON.
func JSON(s string) string {
	return clean(s, func(r rune, _ string) string {
		switch r {
		case utf8.RuneError:
			return string(r)
		case '\r': // white space between values; inside strings it is escaped already
			return " "
		}
		return escapeJSON(r)
	})
}

// escapeJSON returns the JSON escape of a rune.
func escapeJSON(r rune) string {
	if high, low := utf16.EncodeRune(r); high != utf8.RuneError {
		return fmt.Sprintf(`\u%04x\u%04x`, high, low)
	}
	return fmt.Sprintf(`\u%04x`, r)
}
