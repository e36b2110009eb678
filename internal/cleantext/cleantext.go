// Package cleantext is the one cleaner between what a chat says and what a terminal, a pager or an editor gets to see.
//
// A chat is data from strangers: it may hold escape sequences that write the clipboard, retitle the window or move the cursor, and
// characters that turn the direction of a line or hide in it. Nothing of that is deleted, it is shown: ESC as ␛, U+202E as \u202e.
//
// The rules, for everything that Text, Line and JSON return:
//
//   - it is valid UTF-8; a byte that is not becomes U+FFFD;
//   - of C0 it holds only \n and \t (Line: neither), and neither DEL nor C1, so that no escape sequence can begin;
//   - it holds no bidirectional controls, no tag characters and no annotation characters;
//   - cleaning it again changes nothing.
//
// Columns prepares clean text for a screen with columns: all terminals, and both ways of counting, agree on its width.
package cleantext

import (
	"fmt"
	"strings"
	"unicode/utf8"
)

// Text cleans a text of any number of lines. "\r\n" and the Unicode line and paragraph separators become "\n".
func Text(s string) string {
	return clean(s, func(r rune, rest string) string {
		switch {
		case r == '\r' && strings.HasPrefix(rest, "\n"):
			return ""
		case r == '\u2028' || r == '\u2029':
			return "\n"
		}
		return visible(r)
	})
}

// clean replaces every rune that may not stay by what instead makes of it and of the text behind it.
func clean(s string, instead func(r rune, rest string) string) string {
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
			b.WriteString(instead(r, s[at+size:]))
		}
		at += size
	}
	return b.String()
}

// Line cleans a text and makes one line of it: every run of white space becomes one space, none is left at the ends.
func Line(s string) string {
	clean := Text(s)
	if isOneLine(clean) {
		return clean
	}
	return strings.Join(strings.Fields(clean), " ")
}

// isOneLine is a quick yes to what Line would not change: ASCII with single spaces inside.
func isOneLine(s string) bool {
	space := true // a space at the beginning is one too many
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

// firstDirty returns the index of the first rune that Text changes, len(s) for none.
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

// isClean reports whether a rune that was decoded from size bytes may stay as it is.
func isClean(r rune, size int) bool {
	switch {
	case r == '\n' || r == '\t':
		return true
	case r < 0x20, 0x7f <= r && r <= 0x9f: // C0, DEL, C1
		return false
	case r == utf8.RuneError:
		return size > 1 // a U+FFFD that was written, not a byte that could not be read
	case r == 0x061c, r == 0x200e, r == 0x200f, 0x202a <= r && r <= 0x202e, 0x2066 <= r && r <= 0x206f: // bidirectional, deprecated
		return false
	case r == 0x2028, r == 0x2029: // line ends that only some take for such
		return false
	case 0xfff9 <= r && r <= 0xfffb: // interlinear annotation hides text
		return false
	case 0xe0000 <= r && r <= 0xe007f: // tags repeat ASCII invisibly
		return false
	}
	return true
}

// visible returns what stands for a rune that may not stay: its control picture or its escape.
func visible(r rune) string {
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
