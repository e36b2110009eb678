package openai

import (
	"errors"
	"fmt"
	"net/http"
	"regexp"
	"slices"
	"strings"
	"time"

	api "github.com/sashabaranov/go-openai"

	"lens/retrieval/embed"
)

// details is what a server says of a failure. Its words decide what is done, and are not shown: they may quote a text or a key.
type details struct {
	code  string // a short word such as model_not_found, which may be shown; "" for none
	words string // lower case
}

var shortWord = regexp.MustCompile(`^[a-z][a-z_]{0,39}$`)

func detailsOf(err error) details {
	var structured *api.APIError
	var raw *api.RequestError
	switch {
	case errors.As(err, &structured):
		d := details{words: strings.ToLower(structured.Message)}
		if code, ok := structured.Code.(string); ok && shortWord.MatchString(code) {
			d.code = code
		}
		return d
	case errors.As(err, &raw):
		return details{words: strings.ToLower(string(raw.Body))}
	}
	return details{}
}

// says reports whether one of phrases is among the words.
func (d details) says(phrases ...string) bool {
	return slices.ContainsFunc(phrases, func(p string) bool { return strings.Contains(d.words, p) })
}

// tooLong knows how OpenAI, Ollama, vLLM and llama.cpp say it. llama.cpp does so with status 500.
func (d details) tooLong() bool {
	return d.says("context length", "context window", "too large to process", "too long", "maximum input length")
}

// rejected is for an answer with a status that says no.
func (e *Embedder) rejected(seen *reply, d details) *fault {
	status := seen.status
	switch {
	case d.tooLong() || d.says("unsupported value: nan"): // the latter is Ollama's 500 for a text whose vector is not finite
		return e.refusal(status, d)
	case d.code == "insufficient_quota":
		return e.final("the account behind the key has no credit left at "+e.host, "add credit with the provider, or use another key or server")
	case status == http.StatusTooManyRequests:
		return e.rateLimited(seen.after)
	case status == http.StatusRequestTimeout || status == http.StatusConflict || status == http.StatusTooEarly || status >= 500:
		return e.failing(seen)
	case status == http.StatusUnauthorized:
		return e.final(e.keyRefused(), "set OPENAI_API_KEY to a key that belongs to the server in OPENAI_BASE_URL")
	case status == http.StatusForbidden:
		return e.final(fmt.Sprintf("%s does not let this key use %s", e.host, e.opts.Model), "use a key with access to the model, or another model")
	case status == http.StatusNotFound || status == http.StatusMethodNotAllowed || d.code == "model_not_found":
		return e.final(fmt.Sprintf("%s knows no embedding model %s", e.host, e.opts.Model),
			"check LENS_EMBEDDING_MODEL, and OPENAI_BASE_URL (it mostly ends in /v1); with Ollama: ollama pull "+e.opts.Model)
	}
	return e.refusal(status, d)
}

func (e *Embedder) keyRefused() string {
	if e.opts.Key == "" {
		return e.host + " wants a key, and none is set"
	}
	return e.host + " does not accept the key"
}

func (e *Embedder) final(message, hint string) *fault {
	return &fault{kind: permanent, err: &embed.Error{Code: "unavailable", Op: op, Message: message, Hint: hint}}
}

func (e *Embedder) rateLimited(after time.Duration) *fault {
	message := e.host + " limits the rate of requests"
	if after > 0 {
		message += fmt.Sprintf(" and asks to wait %s", after.Round(time.Second))
	}
	return &fault{kind: limited, after: after, err: &embed.Error{
		Code: "rate_limited", Op: op, Message: message, Hint: "wait, then run this again: it goes on where it stopped",
	}}
}

func (e *Embedder) failing(seen *reply) *fault {
	return &fault{kind: transient, after: seen.after, err: &embed.Error{
		Code: "unavailable", Op: op, Message: fmt.Sprintf("%s is in trouble (HTTP %d)", e.host, seen.status),
		Hint: "wait, then run this again: it goes on where it stopped",
	}}
}

// refusal is for a text, or something in the request, that the server does not take. A server that has not yet answered in base64 may
// mean that.
func (e *Embedder) refusal(status int, d details) *fault {
	if !d.tooLong() && !e.served.Load() && e.floats.CompareAndSwap(false, true) {
		f := e.malformed(fmt.Sprintf("HTTP %d", status))
		return f
	}
	why := fmt.Sprintf("HTTP %d", status)
	if d.code != "" {
		why += ", " + d.code
	}
	return &fault{kind: refusal, tooLong: d.tooLong(), err: &embed.Error{
		Code: "invalid", Op: op, Message: fmt.Sprintf("%s refuses a text (%s)", e.host, why),
	}}
}
