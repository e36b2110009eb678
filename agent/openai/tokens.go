package openai

import (
	"strings"
	"sync"

	"github.com/tiktoken-go/tokenizer"
)

// Tokens implements agent.Model: exact for OpenAI's models, and for others what o200k_base makes of the text, which is within about a fifth
// of what most vocabularies of that size give.
func (m *Model) Tokens(text string) int {
	n, err := m.codec().Count(text)
	if err != nil { // it is the splitting expression that fails; a token has about four bytes
		return len(text)/4 + 1
	}
	return n
}

// The vocabularies are loaded when they are first needed, and once a process: some 200,000 entries take their time.
var (
	cl100k = sync.OnceValue(func() tokenizer.Codec { return mustGet(tokenizer.Cl100kBase) })
	o200k  = sync.OnceValue(func() tokenizer.Codec { return mustGet(tokenizer.O200kBase) })
)

func mustGet(e tokenizer.Encoding) tokenizer.Codec {
	codec, err := tokenizer.Get(e)
	if err != nil {
		panic("openai: the tokenizer that is compiled in is gone: " + err.Error())
	}
	return codec
}

// codecOf returns the vocabulary of a model: GPT-4 and 3.5 have the older one, all later models the newer.
func codecOf(model string) func() tokenizer.Codec {
	name := model[strings.LastIndex(model, "/")+1:]
	if strings.HasPrefix(name, "gpt-3.5") || name == "gpt-4" || strings.HasPrefix(name, "gpt-4-") {
		return cl100k
	}
	return o200k
}
