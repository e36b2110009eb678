package chat

import (
	"bytes"
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

// unquote decodes the inside of a JSON string. Half a surrogate pair becomes U+FFFD.
func unquote(b []byte) string {
	i := bytes.IndexByte(b, '\\')
	if i < 0 {
		return string(b)
	}
	var s strings.Builder
	s.Grow(len(b))
	for i >= 0 && i+1 < len(b) {
		s.Write(b[:i])
		for b = b[i:]; len(b) > 1 && b[0] == '\\'; { // often several in a row
			b = b[unescape(&s, b):]
		}
		i = bytes.IndexByte(b, '\\')
	}
	s.Write(b)
	return s.String()
}

// unescape decodes the escape that b begins with, and returns its length.
func unescape(s *strings.Builder, b []byte) int {
	switch b[1] {
	case 'n':
		s.WriteByte('\n')
	case 't':
		s.WriteByte('\t')
	case 'r':
		s.WriteByte('\r')
	case 'b':
		s.WriteByte('\b')
	case 'f':
		s.WriteByte('\f')
	case 'u':
		return unescapeUnicode(s, b)
	default: // a quotation mark, a slash or a backslash
		s.WriteByte(b[1])
	}
	return 2
}

func unescapeUnicode(s *strings.Builder, b []byte) int {
	unit, ok := unicodeEscape(b)
	if !ok {
		return min(2, len(b))
	}
	if utf16.IsSurrogate(unit) {
		if low, ok := unicodeEscape(b[6:]); ok {
			if pair := utf16.DecodeRune(unit, low); pair != utf8.RuneError {
				s.WriteRune(pair)
				return 12
			}
		}
		unit = utf8.RuneError
	}
	s.WriteRune(unit)
	return 6
}
