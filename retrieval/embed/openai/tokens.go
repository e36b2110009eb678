package openai

import (
	"unicode/utf8"

	"lens/internal/bpe"
)

// Whole reports whether a text is sent to a model as it is. A server may still refuse it as too long: see refuse.
func Whole(name, text string) bool {
	limit := modelNamed(name).textTokens
	return len(text) <= limit || countTokens(text) <= limit // no token is shorter than a byte
}

// longestToken is the longest entry of the vocabulary (a run of spaces), in bytes.
const longestToken = 128

// countTokens returns how many tokens text has, at least 1.
func countTokens(text string) int { return max(bpe.Cl100k().Count(text), 1) }

// cutTokens returns the longest prefix of text with at most limit tokens that ends between two characters, and its
// tokens.
func cutTokens(text string, limit int) (cut string, tokens int) {
	cut = truncate(text, limit*longestToken)
	for want := limit; ; want-- {
		tokens = countTokens(cut)
		if tokens <= limit || want <= 0 {
			return cut, tokens
		}
		cut = firstTokens(cut, want) // may have more tokens than want: a word cut in the middle is split differently
	}
}

func firstTokens(text string, n int) string {
	end := 0
	for token := range bpe.Cl100k().Tokens(text) {
		if n--; n < 0 {
			break
		}
		end += len(token)
	}
	return truncate(text, end)
}

// truncate returns at most n bytes of text, whole characters only.
func truncate(text string, n int) string {
	if len(text) <= n {
		return text
	}
	for n > 0 && !utf8.RuneStart(text[n]) {
		n--
	}
	return text[:n]
}
