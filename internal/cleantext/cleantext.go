// Package cleantext sanitizes text from chats before a terminal, a pager or an editor shows it.
//
// Chats are untrusted: they may contain escape sequences that write the clipboard, retitle the window or move the
// cursor, and characters that reverse or hide text. Nothing is deleted; it is made visible: ESC becomes ␛, U+202E
// becomes \u202e.
//
// The rules, for the results of Text, Line and JSON:
//
//   - They are valid UTF-8; each invalid byte becomes U+FFFD.
//   - They contain no C0 controls but \n and \t (Line: not even those), no DEL and no C1, so no escape sequence can
//     begin.
//   - They contain no bidirectional controls, no tag characters and no annotation characters.
//   - Sanitizing them again changes nothing.
//
// Columns prepares clean text for column layouts, so that all terminals, and both ways to count, agree on its width.
package cleantext

import (
	"fmt"
	"strings"
	"unicode/utf8"
)

// Text sanitizes text of any number of lines. "\r\n" and the Unicode line and paragraph separators become "\n".
func Text(s string) string {
	return clean(s, func(r rune, rest string) string {
		switch {
		case r == '\r' && strings.HasPrefix(rest, "\n"):
			return ""
		case r == '\u2028' || r == '\u2029':
			return "\n"
		}
		return makeVisible(r)
	})
}

// clean replaces each unsafe rune by the result of replace, which also gets the text after the rune.
func clean(s string, replace func(r rune, rest string) string) string {
	at := firstDirty(s)
	if at == len(s) {
		return s
	}
	var b strings.Builder
	b.Grow(len(s) + 16)
	b.WriteString(s[:at])
	for at < len(s) {
		r, size := utf8.DecodeRuneInString(s[at:])
		if isClean(r, size) {
			b.WriteString(s[at : at+size])
		} else {
			b.WriteString(replace(r, s[at+size:]))
		}
		at += size
	}
	return b.String()
}

// Line sanitizes text and makes it one line: each run of white space becomes a space, and both ends are trimmed.
func Line(s string) string {
	clean := Text(s)
	if isOneLine(clean) {
		return clean
	}
	return strings.Join(strings.Fields(clean), " ")
}

// isOneLine is a fast path. It reports true only for text that Line would not change: ASCII with single inner spaces.
func isOneLine(s string) bool {
	space := true // so that a leading space counts as a second one
	for i := range len(s) {
		switch c := s[i]; {
		case c >= utf8.RuneSelf || c < ' ' || c == ' ' && space:
			return false
		default:
			space = c == ' '
		}
	}
	return s == "" || !space
}

// firstDirty returns the index of the first rune that Text changes, or len(s).
func firstDirty(s string) int {
	for at := 0; at < len(s); {
		if c := s[at]; c >= ' ' && c < 0x7f {
			at++
			continue
		}
		r, size := utf8.DecodeRuneInString(s[at:])
		if !isClean(r, size) {
			return at
		}
		at += size
	}
	return len(s)
}

// isClean reports whether a rune that was decoded from size bytes is safe.
func isClean(r rune, size int) bool {
	switch {
	case r == '\n' || r == '\t':
		return true
	case r < 0x20, 0x7f <= r && r <= 0x9f: // C0, DEL, C1
		return false
	case r == utf8.RuneError:
		return size > 1 // an encoded U+FFFD, rather than an invalid byte
	case r == 0x061c, r == 0x200e, r == 0x200f, // bidirectional controls
		0x202a <= r && r <= 0x202e, 0x2066 <= r && r <= 0x206f: // and deprecated ones
		return false
	case r == 0x2028, r == 0x2029: // line ends that not every program treats as one
		return false
	case 0xfff9 <= r && r <= 0xfffb: // interlinear annotations can hide text
		return false
	case 0xe0000 <= r && r <= 0xe007f: // tag characters: invisible ASCII
		return false
	}
	return true
}

// makeVisible returns the visible form of an unsafe rune: its control picture or its escape.
func makeVisible(r rune) string {
	switch {
	case r == utf8.RuneError:
		return "\uFFFD"
	case r < 0x20:
		return string('␀' + r)
	case r == 0x7f:
		return "␡"
	case r > 0xffff:
		return fmt.Sprintf(`\U%08x`, r)
	}
	return fmt.Sprintf(`\u%04x`, r)
}
