package agent

import (
	"html"
	"strings"
	"unicode"
)

// maxEntityBytes exceeds the length of any HTML entity.
const maxEntityBytes = 40

// citesAsEntity reports whether s begins with an HTML entity that renders as part of a citation or an id:
// brackets, digits, ASCII letters, hyphens, invisible characters. While decided is false, more of s is
// needed.
func citesAsEntity(s string) (cites, decided bool) {
	for i, r := range s[1:] {
		switch {
		case r == ';':
			s = s[:1+i+1]
			decoded := html.UnescapeString(s)
			return decoded != s && strings.ContainsFunc(decoded, isCitationRune), true
		case i > maxEntityBytes:
			return true, true
		case !isIDWordRune(r) && r != '#':
			return false, true
		}
	}
	return false, false
}

func isCitationRune(r rune) bool {
	visible := unicode.In(r, unicode.L, unicode.P, unicode.S, unicode.Zs)
	return isIDWordRune(r) || strings.ContainsRune("[]【】［］-–", r) || !visible
}
