package provider

import (
	"errors"
	"regexp"
	"slices"
	"strings"

	api "github.com/sashabaranov/go-openai"
)

// Words is what a server says of a failure.
type Words struct {
	Code string // a short word such as model_not_found, which may be shown; "" for none
	text string // lower case
}

var shortWord = regexp.MustCompile(`^[a-z][a-z_]{0,39}$`)

// WordsOf reads the client library's error.
func WordsOf(err error) Words {
	var structured *api.APIError
	var raw *api.RequestError
	switch {
	case errors.As(err, &structured):
		w := Words{text: strings.ToLower(structured.Message)}
		if code, ok := structured.Code.(string); ok && shortWord.MatchString(code) {
			w.Code = code
		}
		return w
	case errors.As(err, &raw):
		return Words{text: strings.ToLower(string(raw.Body))}
	}
	return Words{}
}

// Say reports whether one of phrases, in lower case, is among the words.
func (w Words) Say(phrases ...string) bool {
	return slices.ContainsFunc(phrases, func(p string) bool { return strings.Contains(w.text, p) })
}

// TooLong knows how OpenAI, Ollama, vLLM and llama.cpp say that something is longer than the model reads. llama.cpp does so with status
// 500.
func (w Words) TooLong() bool {
	return w.Code == "context_length_exceeded" || w.Say("context length", "context window", "maximum context", "exceeds the available context",
		"too large to process", "too long", "maximum input length")
}
