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
type retryKind int

const (
	noRetry           retryKind = iota // giving up
	retryable                          // trying again
	rateLimited                        // trying again, no sooner than told
	retryWithoutUsage                  // trying again without asking for usage
)

// fault is why a try failed. err is what a person gets to see of it.
type attemptError struct {
	kind  retryKind
	err   error
	after time.Duration
}

// classify turns the library's error into a fault.
func (m *Model) classify(ctx context.Context, err error, seen *reply, tools bool) attemptError {
	switch {
	case ctx.Err() != nil || seen.status == 0:
		return m.classifyUnreachable(ctx, err)
	case seen.status < 300:
		return attemptError{retryable, m.unavailable("the answer of "+m.server.Host+" cannot be read", "check that OPENAI_BASE_URL names an OpenAI-compatible server"), 0}
	}
	return m.classifyStatus(seen, provider.ErrorBodyOf(err), tools)
}

// unreachable is for a request that got no answer: refused, reset, timed out, sent elsewhere.
func (m *Model) classifyUnreachable(ctx context.Context, err error) attemptError {
	const hint = "check that the server runs and that OPENAI_BASE_URL names it"
	switch {
	case errors.Is(err, errRedirect):
		return attemptError{noRetry, m.unavailable(m.server.Host+" sends its clients to another server, which is not followed", "set OPENAI_BASE_URL to the server itself"), 0}
	case errors.Is(context.Cause(ctx), errIdle):
		return attemptError{noRetry, m.unavailable(m.server.Host+" does not answer in time", hint), 0}
	}
	failure := m.unavailable(m.server.Host+" cannot be reached", hint)
	failure.Err = err
	return attemptError{retryable, failure, 0}
}

// broken is for an answer that ends before its end.
func (m *Model) interrupted(ctx context.Context, err error) error {
	if ctx.Err() != nil && !errors.Is(context.Cause(ctx), errIdle) {
		return ctx.Err()
	}
	failure := m.unavailable("the answer of "+m.server.Host+" broke off", "ask again")
	failure.Err = agent.ErrBroken
	switch {
	case errors.Is(context.Cause(ctx), errIdle):
		failure.Message = m.server.Host + " went silent in the middle of its answer"
	case errors.Is(err, errTooLong):
		failure.Message = "the answer of " + m.server.Host + " does not end"
	}
	return failure
}

// rejected is for an answer with a status that says no.
func (m *Model) classifyStatus(seen *reply, words provider.ErrorBody, tools bool) attemptError {
	tooMany := seen.status == http.StatusTooManyRequests
	switch {
	case words.Contains("stream_options"):
		return attemptError{retryWithoutUsage, m.refusal(seen.status), 0}
	case !tooMany && tools && words.Contains("tool", "function call"):
		failure := m.unavailable(m.opts.Model+" cannot call tools", "use a model that can")
		failure.Err = agent.ErrNoTools
		return attemptError{noRetry, failure, 0}
	case !tooMany && words.TooLong():
		return attemptError{noRetry, &agent.Error{
			Code: "too_large", Op: op, Message: "the conversation is longer than " + m.opts.Model + " can read", Hint: "ask anew, or use a model with a longer context",
		}, 0}
	}
	r := m.server.Refusal(seen.status, seen.after, words)
	failure := m.unavailable(r.Message, r.Hint)
	switch r.Kind {
	case provider.BadRequest:
		return attemptError{noRetry, m.refusal(seen.status), 0}
	case provider.Transient:
		return attemptError{retryable, failure, seen.after}
	case provider.RateLimited:
		failure.Code = "rate_limited"
		return attemptError{rateLimited, failure, seen.after}
	}
	return attemptError{noRetry, failure, 0}
}

func (m *Model) refusal(status int) error {
	return &agent.Error{
		Code: "invalid", Op: op, Message: fmt.Sprintf("%s refuses the request (HTTP %d)", m.server.Host, status), Hint: "check LENS_CHAT_MODEL and OPENAI_BASE_URL",
	}
}

func (m *Model) unavailable(message, hint string) *agent.Error {
	return &agent.Error{Code: "unavailable", Op: op, Message: message, Hint: hint}
}
