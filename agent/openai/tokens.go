package openai

import (
	"strings"

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

// codecOf loads a model's tokenizer when it is first needed: its vocabulary takes some time to build.
func codecOf(model string) func() tokenizer.Codec {
	return func() tokenizer.Codec {
		codec, err := tokenizer.Get(encodingOf(model))
		if err != nil {
			panic("openai: the tokenizer that is compiled in is gone: " + err.Error())
		}
		return codec
	}
}

// encodingOf returns the vocabulary of a model: GPT-4 and 3.5 have the older one, all later models the newer.
func encodingOf(model string) tokenizer.Encoding {
	name := model[strings.LastIndex(model, "/")+1:]
	older := strings.HasPrefix(name, "gpt-3.5") || name == "gpt-4" || strings.HasPrefix(name, "gpt-4-")
	if older {
		return tokenizer.Cl100kBase
	}
	return tokenizer.O200kBase
}
