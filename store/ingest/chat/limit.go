package chat

import (
	"crypto/sha256"
	"fmt"
	"strings"
	"unicode/utf8"
)

// Limits of one message, in bytes. A longer text is cut between characters, while the raw JSON keeps all of it; raw
// JSON over its limit is not kept. Both are counted. MaxRaw is far below the row limit of every backend, and far above
// what people write.
const (
	MaxText  = 4 << 20
	MaxTitle = 1 << 10
	MaxRaw   = 16 << 20
	maxLabel = 256 // ids, model names, content types: cut without being counted, because real ones are shorter
	maxLine  = 120 // a title made from a first line
)

// cut shortens s to at most limit bytes.
func cut(s string, limit int) (string, bool) {
	if len(s) <= limit {
		return s, false
	}
	for limit > 0 && !utf8.RuneStart(s[limit]) {
		limit--
	}
	return strings.Clone(s[:limit]), true // a copy, so that the rest can be freed
}

const notKept = "lens_not_kept" // stands for the JSON of a message

// keepRaw returns a message's JSON. JSON longer than limit is replaced by its length and hash, so that a change of the
// original still changes the message; then the result is true.
func keepRaw(raw []byte, limit int) ([]byte, bool) {
	if len(raw) <= limit {
		return raw, false
	}
	return fmt.Appendf(nil, `{"`+notKept+`":{"bytes":%d,"sha256":"%x"}}`, len(raw), sha256.Sum256(raw)), true
}

func label(s string) string {
	s, _ = cut(Clean(s), maxLabel)
	return s
}

// firstLine returns the first line of s that is not blank, cut to the length of a title.
func firstLine(s string) string {
	s = strings.TrimSpace(s)
	if i := strings.IndexAny(s, "\r\n"); i >= 0 {
		s = s[:i]
	}
	line, wasCut := cut(strings.TrimSpace(s), maxLine)
	if wasCut {
		line += "…"
	}
	return line
}
