package local

import (
	"strings"
	"unicode"
)

// addedToken is a token that a text may contain as such: [SEP], <mask>.
type addedToken struct {
	ID         int32  `json:"id"`
	Content    string `json:"content"`
	SingleWord bool   `json:"single_word"`
	Left       bool   `json:"lstrip"` // takes the blanks before it
	Right      bool   `json:"rstrip"` // takes the blanks after it
	Normalized bool   `json:"normalized"`
}

// addedTokens are tokens by their first byte.
type addedTokens [256][]addedToken

func (a *addedTokens) add(t addedToken) {
	first := &a[t.Content[0]]
	*first = append(*first, t)
}

// longestAt returns the longest token that begins at a position of text; nil for none.
func (a *addedTokens) longestAt(text string, at int) *addedToken {
	var longest *addedToken
	candidates := a[text[at]]
	for i, t := range candidates {
		if strings.HasPrefix(text[at:], t.Content) && (longest == nil || len(t.Content) > len(longest.Content)) {
			longest = &candidates[i]
		}
	}
	return longest
}

// next splits text at its first token; nil for none.
func (a *addedTokens) next(text string) (before string, token *addedToken, after string) {
	for at := range len(text) {
		if t := a.longestAt(text, at); t != nil {
			before, after = text[:at], text[at+len(t.Content):]
			if t.Left {
				before = strings.TrimRightFunc(before, unicode.IsSpace)
			}
			if t.Right {
				after = strings.TrimLeftFunc(after, unicode.IsSpace)
			}
			return before, t, after
		}
	}
	return text, nil, ""
}
