package openai

import (
	"strings"

	"lens/internal/bpe"
)

// Tokens implements agent.Model: exact for OpenAI's models. For others it uses o200k_base, which is within
// about a fifth of most vocabularies of that size.
func (m *Model) Tokens(text string) int { return m.vocabulary().Count(text) }

// vocabularyOf returns a model's vocabulary: the older one for GPT-4 and 3.5, the newer one for all later models.
func vocabularyOf(model string) func() *bpe.Vocabulary {
	name := model[strings.LastIndex(model, "/")+1:]
	if strings.HasPrefix(name, "gpt-3.5") || name == "gpt-4" || strings.HasPrefix(name, "gpt-4-") {
		return bpe.Cl100k
	}
	return bpe.O200k
}
