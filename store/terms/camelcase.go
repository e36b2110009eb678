package terms

import (
	"unicode"
	"unicode/utf8"
)

// splitHumps returns the parts of a word that was put together by capitals or digits: SendMessageW is Send, Message, W; HTTPServer
// is HTTP, Server; sha256 is sha, 256. Nil for a word of one part, and for one of very many, which is no name but a hash.
func splitHumps(word []byte) [][]byte {
	var parts [][]byte
	start := 0
	var before, previous hump
	for i, size := 0, 0; i < len(word); i += size {
		var r rune
		r, size = utf8.DecodeRune(word[i:])
		current := humpOf(r, previous)
		cut := -1
		switch {
		case i == 0 || current == previous:
		case previous == digit || current == digit || current == upper:
			cut = i
		case before == upper: // the last capital of several opens the next part
			_, back := utf8.DecodeLastRune(word[:i])
			cut = i - back
		}
		if cut > start {
			parts = append(parts, word[start:cut])
			start = cut
		}
		if len(parts) >= maxHumps {
			return nil
		}
		before, previous = previous, current
	}
	if start == 0 {
		return nil
	}
	return append(parts, word[start:])
}

type hump uint8

const (
	small hump = iota
	upper
	digit
)

// humpOf tells what sort of character r is; a mark is what the character before it is.
func humpOf(r rune, previous hump) hump {
	switch {
	case unicode.IsUpper(r):
		return upper
	case unicode.IsNumber(r):
		return digit
	case unicode.IsMark(r):
		return previous
	}
	return small
}
