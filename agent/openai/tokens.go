package openai

import (
	"strings"

	"lens/internal/bpe"
)

// Tokens implements agent.Model: by the vocabulary, cl100k_base or o200k_base, that has more tokens for text. One of
// them is exact for OpenAI's models.
func (m *Model) Tokens(text string) int {
	return max(bpe.Cl100k().Count(text), bpe.O200k().Count(text))
}

// HasVocabulary reports whether a model has one of the vocabularies of Tokens, as those of OpenAI have. "" is the
// default model.
func HasVocabulary(model string) bool {
	name := strings.ToLower(model[strings.LastIndex(model, "/")+1:])
	for _, prefix := range []string{"gpt-", "chatgpt-", "o1", "o3", "o4"} {
		if strings.HasPrefix(name, prefix) {
			return true
		}
	}
	return name == ""
}
