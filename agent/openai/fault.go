package openai

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"time"

	api "github.com/sashabaranov/go-openai"

	"lens/agent"
)

// kind says what a fault asks for.
type kind int

const (
	permanent kind = iota // giving up
	transient             // trying again
	limited               // trying again, no sooner than told
	simpler               // trying again without asking for usage
)

// fault is why a try failed. err is what a person gets to see of it.
type fault struct {
	kind  kind
	err   error
	after time.Duration
}

// classify turns the library's error into a fault.
func (m *Model) classify(ctx context.Context, err error, seen *reply, tools bool) fault {
	switch {
	case ctx.Err() != nil || seen.status == 0:
		return m.unreachable(ctx, err)
	case seen.status < 300:
		return fault{transient, m.unavailable("the answer of "+m.host+" cannot be read", "check that OPENAI_BASE_URL names an OpenAI-compatible server"), 0}
	}
	return m.rejected(seen, wordsOf(err), tools)
}

// unreachable is for a request that got no answer: refused, reset, timed out, sent elsewhere.
func (m *Model) unreachable(ctx context.Context, err error) fault {
	const hint = "check that the server runs and that OPENAI_BASE_URL names it"
	switch {
	case errors.Is(err, errAway):
		return fault{permanent, m.unavailable(m.host+" sends its clients to another server, which is not followed", "set OPENAI_BASE_URL to the server itself"), 0}
	case errors.Is(context.Cause(ctx), errSilence):
		return fault{permanent, m.unavailable(m.host+" does not answer in time", hint), 0}
	}
	failure := m.unavailable(m.host+" cannot be reached", hint)
	failure.Err = err
	return fault{transient, failure, 0}
}

// broken is for an answer that ends before its end.
func (m *Model) broken(ctx context.Context, err error) error {
	if ctx.Err() != nil && !errors.Is(context.Cause(ctx), errSilence) {
		return ctx.Err()
	}
	failure := m.unavailable("the answer of "+m.host+" broke off", "ask again")
	failure.Err = agent.ErrBroken
	switch {
	case errors.Is(context.Cause(ctx), errSilence):
		failure.Message = m.host + " went silent in the middle of its answer"
	case errors.Is(err, errTooLong):
		failure.Message = "the answer of " + m.host + " does not end"
	}
	return failure
}

// rejected is for an answer with a status that says no.
func (m *Model) rejected(seen *reply, words string, tools bool) fault {
	status := seen.status
	says := func(phrases ...string) bool {
		return slices.ContainsFunc(phrases, func(p string) bool { return strings.Contains(words, p) })
	}
	switch {
	case says("stream_options"):
		return fault{simpler, m.refusal(status), 0}
	case status != http.StatusTooManyRequests && tools && says("tool", "function call"):
		failure := m.unavailable(m.opts.Model+" cannot call tools", "use a model that can")
		failure.Err = agent.ErrNoTools
		return fault{permanent, failure, 0}
	case says("insufficient_quota"):
		return fault{permanent, m.unavailable("the account behind the key has no credit left at "+m.host, "add credit with the provider, or use another key or server"), 0}
	case status == http.StatusTooManyRequests:
		return fault{limited, m.rateLimited(seen.after), seen.after}
	case says("context length", "context window", "too long", "maximum context", "exceeds the available context"):
		return fault{permanent, &agent.Error{
			Code: "too_large", Op: op, Message: "the conversation is longer than " + m.opts.Model + " can read", Hint: "ask anew, or use a model with a longer context",
		}, 0}
	case status == http.StatusRequestTimeout || status == http.StatusConflict || status == http.StatusTooEarly || status >= 500:
		return fault{transient, m.unavailable(fmt.Sprintf("%s is in trouble (HTTP %d)", m.host, status), "wait, then ask again"), seen.after}
	case status == http.StatusUnauthorized:
		return fault{permanent, m.unavailable(m.keyRefused(), "set OPENAI_API_KEY to a key that belongs to the server in OPENAI_BASE_URL"), 0}
	case status == http.StatusForbidden:
		return fault{permanent, m.unavailable(fmt.Sprintf("%s does not let this key use %s", m.host, m.opts.Model), "use a key with access to the model, or another model"), 0}
	case status == http.StatusNotFound || status == http.StatusMethodNotAllowed:
		return fault{permanent, m.unavailable(fmt.Sprintf("%s knows no chat model %s", m.host, m.opts.Model),
			"check LENS_CHAT_MODEL, and OPENAI_BASE_URL (it mostly ends in /v1); with Ollama: ollama pull "+m.opts.Model), 0}
	}
	return fault{permanent, m.refusal(status), 0}
}

func (m *Model) keyRefused() string {
	if m.opts.Key == "" {
		return m.host + " wants a key, and none is set"
	}
	return m.host + " does not accept the key"
}

func (m *Model) rateLimited(after time.Duration) error {
	message := m.host + " limits the rate of requests"
	if after > 0 {
		message += fmt.Sprintf(" and asks to wait %s", after.Round(time.Second))
	}
	return &agent.Error{Code: "rate_limited", Op: op, Message: message, Hint: "wait, then ask again"}
}

func (m *Model) refusal(status int) error {
	return &agent.Error{
		Code: "invalid", Op: op, Message: fmt.Sprintf("%s refuses the request (HTTP %d)", m.host, status), Hint: "check LENS_CHAT_MODEL and OPENAI_BASE_URL",
	}
}

func (m *Model) unavailable(message, hint string) *agent.Error {
	return &agent.Error{Code: "unavailable", Op: op, Message: message, Hint: hint}
}

// wordsOf returns what a server says of a failure, in lower case. It decides what is done, and is not shown: it may quote a text or a key.
func wordsOf(err error) string {
	var structured *api.APIError
	var raw *api.RequestError
	switch {
	case errors.As(err, &structured):
		words := structured.Message
		if code, ok := structured.Code.(string); ok {
			words += " " + code
		}
		return strings.ToLower(words)
	case errors.As(err, &raw):
		return strings.ToLower(string(raw.Body))
	}
	return ""
}
