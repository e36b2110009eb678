package agent

import (
	"html"
	"strings"
	"unicode"
)

// longestEntity is more than HTML's longest, in bytes.
const maxEntityBytes = 40

// entity reports whether s begins with one of HTML's entities that reads as part of a citation or of an id: brackets, digits, letters of
// ASCII, hyphens, what does not show. Not decided: more of s has to come.
func citesAsEntity(s string) (speaks, decided bool) {
	for i, r := range s[1:] {
		switch {
		case r == ';':
			s = s[:1+i+1]
			said := html.UnescapeString(s)
			return said != s && strings.ContainsFunc(said, isCitationRune), true
		case i > maxEntityBytes:
			return true, true
		case !isIDWordRune(r) && r != '#':
			return false, true
		}
	}
	return false, false
}

func isCitationRune(r rune) bool {
	return isIDWordRune(r) || strings.ContainsRune("[]【】［］-–", r) || !unicode.In(r, unicode.L, unicode.P, unicode.S, unicode.Zs)
}
