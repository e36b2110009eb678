package openai

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"time"

	"lens/agent"
	"lens/internal/provider"
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
		return fault{transient, m.unavailable("the answer of "+m.server.Host+" cannot be read", "check that OPENAI_BASE_URL names an OpenAI-compatible server"), 0}
	}
	return m.rejected(seen, provider.ErrorBodyOf(err), tools)
}

// unreachable is for a request that got no answer: refused, reset, timed out, sent elsewhere.
func (m *Model) unreachable(ctx context.Context, err error) fault {
	const hint = "check that the server runs and that OPENAI_BASE_URL names it"
	switch {
	case errors.Is(err, errAway):
		return fault{permanent, m.unavailable(m.server.Host+" sends its clients to another server, which is not followed", "set OPENAI_BASE_URL to the server itself"), 0}
	case errors.Is(context.Cause(ctx), errSilence):
		return fault{permanent, m.unavailable(m.server.Host+" does not answer in time", hint), 0}
	}
	failure := m.unavailable(m.server.Host+" cannot be reached", hint)
	failure.Err = err
	return fault{transient, failure, 0}
}

// broken is for an answer that ends before its end.
func (m *Model) broken(ctx context.Context, err error) error {
	if ctx.Err() != nil && !errors.Is(context.Cause(ctx), errSilence) {
		return ctx.Err()
	}
	failure := m.unavailable("the answer of "+m.server.Host+" broke off", "ask again")
	failure.Err = agent.ErrBroken
	switch {
	case errors.Is(context.Cause(ctx), errSilence):
		failure.Message = m.server.Host + " went silent in the middle of its answer"
	case errors.Is(err, errTooLong):
		failure.Message = "the answer of " + m.server.Host + " does not end"
	}
	return failure
}

// rejected is for an answer with a status that says no.
func (m *Model) rejected(seen *reply, words provider.ErrorBody, tools bool) fault {
	tooMany := seen.status == http.StatusTooManyRequests
	switch {
	case words.Contains("stream_options"):
		return fault{simpler, m.refusal(seen.status), 0}
	case !tooMany && tools && words.Contains("tool", "function call"):
		failure := m.unavailable(m.opts.Model+" cannot call tools", "use a model that can")
		failure.Err = agent.ErrNoTools
		return fault{permanent, failure, 0}
	case !tooMany && words.TooLong():
		return fault{permanent, &agent.Error{
			Code: "too_large", Op: op, Message: "the conversation is longer than " + m.opts.Model + " can read", Hint: "ask anew, or use a model with a longer context",
		}, 0}
	}
	r := m.server.Refusal(seen.status, seen.after, words)
	failure := m.unavailable(r.Message, r.Hint)
	switch r.Kind {
	case provider.BadRequest:
		return fault{permanent, m.refusal(seen.status), 0}
	case provider.Transient:
		return fault{transient, failure, seen.after}
	case provider.RateLimited:
		failure.Code = "rate_limited"
		return fault{limited, failure, seen.after}
	}
	return fault{permanent, failure, 0}
}

func (m *Model) refusal(status int) error {
	return &agent.Error{
		Code: "invalid", Op: op, Message: fmt.Sprintf("%s refuses the request (HTTP %d)", m.server.Host, status), Hint: "check LENS_CHAT_MODEL and OPENAI_BASE_URL",
	}
}

func (m *Model) unavailable(message, hint string) *agent.Error {
	return &agent.Error{Code: "unavailable", Op: op, Message: message, Hint: hint}
}
