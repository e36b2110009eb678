package provider

import (
	"errors"
	"regexp"
	"slices"
	"strings"

	api "github.com/sashabaranov/go-openai"
)

// ErrorBody is what a server says about a failure.
type ErrorBody struct {
	Code string // an identifier such as model_not_found, which may be shown; "" for none
	text string // lower case; never shown
}

// identifier matches the codes that are safe to show: too short, and too plain, to hold a key.
var identifier = regexp.MustCompile(`^[a-z][a-z_]{0,39}$`)

// ErrorBodyOf reads the client library's error.
func ErrorBodyOf(err error) ErrorBody {
	var structured *api.APIError
	var raw *api.RequestError
	switch {
	case errors.As(err, &structured):
		body := ErrorBody{text: strings.ToLower(structured.Message)}
		if code, ok := structured.Code.(string); ok && identifier.MatchString(code) {
			body.Code = code
		}
		return body
	case errors.As(err, &raw):
		return ErrorBody{text: strings.ToLower(string(raw.Body))}
	}
	return ErrorBody{}
}

// Contains reports whether the body contains one of phrases, which are in lower case.
func (b ErrorBody) Contains(phrases ...string) bool {
	return slices.ContainsFunc(phrases, func(p string) bool { return strings.Contains(b.text, p) })
}

// TooLong reports whether the input is longer than the model's context, in the words of OpenAI, Ollama, vLLM and
// llama.cpp. The status does not say so: llama.cpp sends 500.
func (b ErrorBody) TooLong() bool {
	return b.Code == "context_length_exceeded" || b.Contains(
		"context length",
		"context window",
		"maximum context",
		"exceeds the available context",
		"too large to process",
		"too long",
		"maximum input length",
	)
}
