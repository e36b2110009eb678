package openai

import (
	"strings"
	"sync"

	"github.com/tiktoken-go/tokenizer"
)

// Tokens implements agent.Model: exact for OpenAI's models. For others it uses o200k_base, which is within
// about a fifth of most vocabularies of that size.
func (m *Model) Tokens(text string) int {
	n, err := m.codec().Count(text)
	if err != nil { // the splitting expression failed; a token has about four bytes
		return len(text)/4 + 1
	}
	return n
}

// The vocabularies have some 200,000 entries, so they are loaded on first use.
var (
	cl100k = sync.OnceValue(func() tokenizer.Codec { return mustGet(tokenizer.Cl100kBase) })
	o200k  = sync.OnceValue(func() tokenizer.Codec { return mustGet(tokenizer.O200kBase) })
)

func mustGet(e tokenizer.Encoding) tokenizer.Codec {
	codec, err := tokenizer.Get(e)
	if err != nil {
		panic("openai: cannot load the embedded tokenizer: " + err.Error())
	}
	return codec
}

// codecOf returns a model's vocabulary: the older one for GPT-4 and 3.5, the newer one for all later models.
func codecOf(model string) func() tokenizer.Codec {
	name := model[strings.LastIndex(model, "/")+1:]
	if strings.HasPrefix(name, "gpt-3.5") || name == "gpt-4" || strings.HasPrefix(name, "gpt-4-") {
		return cl100k
	}
	return o200k
}
