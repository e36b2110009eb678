package openai

import (
	"sync"
	"unicode/utf8"

	"github.com/tiktoken-go/tokenizer"
)

// cl100k is loaded on first use, not at start-up: its vocabulary of 100,000 entries takes some 10 ms to build.
var cl100k = sync.OnceValue(func() tokenizer.Codec {
	codec, err := tokenizer.Get(tokenizer.Cl100kBase)
	if err != nil {
		panic("openai: cannot load the built-in tokenizer: " + err.Error())
	}
	return codec
})

// longestToken is the longest entry of the vocabulary (a run of spaces), in bytes.
const longestToken = 128

// countTokens returns how many tokens text has, at least 1.
func countTokens(text string) int {
	n, err := cl100k().Count(text)
	if err != nil { // the splitting expression failed; a token has about four bytes
		n = len(text) / 4
	}
	return max(n, 1)
}

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
	_, tokens, err := cl100k().Encode(text)
	if err != nil {
		return truncate(text, 4*n)
	}
	end := 0
	for _, token := range tokens[:min(n, len(tokens))] {
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
