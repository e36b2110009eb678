package provider

import (
	"errors"
	"net/http"
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

// TooLong reports whether a refusal with this status means that the input is longer than the model's context, or than
// the account allows, in the words of OpenAI, Ollama, vLLM, llama.cpp, LM Studio and the services that imitate them. The
// status alone does not say so: llama.cpp sends 500, and a rate limit is about tokens, too.
func (b ErrorBody) TooLong(status int) bool {
	switch {
	case status == http.StatusRequestEntityTooLarge || b.exceedsQuota():
		return true
	case status == http.StatusTooManyRequests:
		return false
	case b.Code == "context_length_exceeded" || b.Code == "exceed_context_size_error":
		return true
	case b.Contains("took too long", "taking too long"): // a gateway's timeout
		return false
	}
	return b.Contains(
		"context length",
		"context window",
		"maximum context",
		"exceeds the available context",
		"context size has been exceeded",
		"context overflow",
		"too large to process",
		"too long",
		"maximum input length",
		"maximum model length",
		"maximum prompt length",
		"input tokens exceed",
		"input token count",
		"length of the messages",
		"tokens + `max_new_tokens`",
	)
}

// exceedsQuota reports whether this one request needs more tokens than the account may use in a minute, so that it
// fails whenever it is sent (OpenAI with 429, Groq with 413).
func (b ErrorBody) exceedsQuota() bool {
	return b.Contains("tokens must be reduced", "reduce your message size")
}
