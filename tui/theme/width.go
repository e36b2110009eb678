package theme

import (
	"strings"
	"unicode/utf8"

	"github.com/charmbracelet/x/ansi"
)

// Width is ansi.StringWidth, but faster. That function looks for a grapheme cluster at every character, although most
// of a line is letters, rules, bars and color sequences. Width counts those itself, up to the first other character.
func Width(line string) int {
	cells, last := 0, 0 // last is where the previous character begins, which the next one may extend
	for at := 0; at < len(line); {
		switch r, size := utf8.DecodeRuneInString(line[at:]); {
		case isNarrow(r):
			last, at = at, at+size
			cells++
		case r == '\x1b' && colorSequence(line[at:]) > 0:
			at += colorSequence(line[at:])
			last = at
		case last < at:
			return cells - 1 + ansi.StringWidth(line[last:])
		default:
			return cells + ansi.StringWidth(line[at:])
		}
	}
	return cells
}

// isNarrow reports whether a character certainly takes one cell, unless a combining one follows: ASCII, Latin,
// punctuation, rules and blocks.
func isNarrow(r rune) bool {
	switch {
	case r >= ' ' && r < 0x7f:
		return true
	case r < 0xa0:
		return false
	}
	return r != 0xad && r < 0x300 || r >= 0x2010 && r <= 0x2027 || r == '›' || r >= 0x2500 && r < 0x25a0
}

// colorSequence returns the length of the color sequence at the start of s, 0 for none.
func colorSequence(s string) int {
	rest, ok := strings.CutPrefix(s, "\x1b[")
	if !ok {
		return 0
	}
	end := strings.IndexFunc(rest, func(r rune) bool { return (r < '0' || r > '9') && r != ';' && r != ':' })
	if end < 0 || rest[end] != 'm' {
		return 0
	}
	return len("\x1b[") + end + len("m")
}
