package terms

import (
	"unicode"
	"unicode/utf8"
)

// splitCamelCase returns the parts of a word that is composed with capitals or digits: SendMessageW is
// Send, Message, W; HTTPServer is HTTP, Server; sha256 is sha, 256. It returns nil for a word of one
// part, and for one of very many parts, which is a hash rather than a name.
func splitCamelCase(word []byte) [][]byte {
	var parts [][]byte
	start := 0
	var before, previous charClass
	var size int
	for i := 0; i < len(word); i += size {
		var r rune
		r, size = utf8.DecodeRune(word[i:])
		current := classOf(r, previous)
		cut := -1
		switch {
		case i == 0 || current == previous:
		case previous == digit || current == digit || current == uppercase:
			cut = i
		case before == uppercase: // the last of several capitals begins the next part
			_, back := utf8.DecodeLastRune(word[:i])
			cut = i - back
		}
		if cut > start {
			parts = append(parts, word[start:cut])
			start = cut
		}
		if len(parts) >= maxParts {
			return nil
		}
		before, previous = previous, current
	}
	if start == 0 {
		return nil
	}
	return append(parts, word[start:])
}

type charClass uint8

const (
	lowercase charClass = iota
	uppercase
	digit
)

// classOf returns the class of r. A mark has the class of the character before it.
func classOf(r rune, previous charClass) charClass {
	switch {
	case unicode.IsUpper(r):
		return uppercase
	case unicode.IsNumber(r):
		return digit
	case unicode.IsMark(r):
		return previous
	}
	return lowercase
}
