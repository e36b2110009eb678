package openai

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"time"

	api "github.com/sashabaranov/go-openai"

	"lens/agent"
	"lens/internal/errs"
	"lens/internal/provider"
)

// attemptError is why an attempt failed. The user sees err.
type attemptError struct {
	kind    provider.Kind
	err     error
	after   time.Duration
	noUsage bool // the server rejects requests for the usage
	noLimit bool // the server rejects the parameter of the output limit
}

// classify turns the library's error into an attemptError.
func (m *Model) classify(
	ctx context.Context, err error, seen *reply, request api.ChatCompletionRequest,
) attemptError {
	switch {
	case ctx.Err() != nil || seen.status == 0:
		return m.classifyUnreachable(ctx, err)
	case seen.status < 300:
		failure := m.unavailable(
			"cannot read the answer from "+m.server.Host,
			"check that OPENAI_BASE_URL names an OpenAI-compatible server",
		)
		return attemptError{kind: provider.Transient, err: failure}
	}
	return m.classifyStatus(seen, provider.ErrorBodyOf(err), request)
}

// classifyUnreachable handles a request without an answer: refused, reset, timed out or redirected.
func (m *Model) classifyUnreachable(ctx context.Context, err error) attemptError {
	const hint = "check that the server is running and that OPENAI_BASE_URL is correct"
	switch {
	case errors.Is(err, errRedirect):
		failure := m.unavailable(m.server.Host+" redirects to another server", "set OPENAI_BASE_URL to that server")
		return attemptError{kind: provider.Permanent, err: failure}
	case errors.Is(context.Cause(ctx), errIdle):
		return attemptError{kind: provider.Permanent, err: m.unavailable(m.server.Host+" did not answer in time", hint)}
	}
	failure := m.unavailable("cannot reach "+m.server.Host, hint)
	failure.Err = err
	return attemptError{kind: provider.Transient, err: failure}
}

// interrupted returns the error for an incomplete answer.
func (m *Model) interrupted(ctx context.Context, err error) error {
	if ctx.Err() != nil && !errors.Is(context.Cause(ctx), errIdle) {
		return ctx.Err()
	}
	failure := m.unavailable("connection to "+m.server.Host+" lost mid-answer", "ask again")
	failure.Err = agent.ErrBroken
	switch {
	case errors.Is(context.Cause(ctx), errIdle):
		failure.Message = m.server.Host + " stopped sending mid-answer"
	case errors.Is(err, errTooLong):
		failure.Message = "the answer from " + m.server.Host + " is too long"
	}
	return failure
}

// classifyStatus handles an answer with an error status.
func (m *Model) classifyStatus(
	seen *reply, words provider.ErrorBody, request api.ChatCompletionRequest,
) attemptError {
	tooMany := seen.status == http.StatusTooManyRequests
	switch {
	case words.Contains("stream_options"):
		return attemptError{kind: provider.Permanent, err: m.refusal(seen.status), noUsage: true}
	case !tooMany && len(request.Tools) > 0 && words.Contains("tool", "function call"):
		failure := m.unavailable(m.opts.Model+" cannot call tools", "use a model that supports tools")
		failure.Err = agent.ErrNoTools
		return attemptError{kind: provider.Permanent, err: failure}
	case words.TooLong(seen.status):
		return attemptError{kind: provider.Permanent, err: &errs.Error{
			Code: errs.TooLarge, Op: op, Message: "the conversation is too long for " + m.opts.Model,
			Hint: "start a new conversation, or use a model with a longer context", Err: agent.ErrContextTooLong,
		}}
	}
	r := m.server.Refusal(seen.status, seen.after, words)
	failure := m.unavailable(r.Message, r.Hint)
	switch r.Kind {
	case provider.BadRequest:
		limit := limitOf(request)
		return attemptError{
			kind: provider.Permanent, err: m.refusal(seen.status),
			noLimit: limit != "" && words.Contains(string(limit)),
		}
	case provider.RateLimited:
		failure.Code = errs.RateLimited
	}
	return attemptError{kind: r.Kind, err: failure, after: seen.after}
}

func (m *Model) refusal(status int) error {
	return &errs.Error{
		Code: errs.Invalid, Op: op, Message: fmt.Sprintf("%s rejected the request (HTTP %d)", m.server.Host, status),
		Hint: "check LENS_CHAT_MODEL and OPENAI_BASE_URL",
	}
}

func (m *Model) unavailable(message, hint string) *errs.Error {
	return &errs.Error{Code: errs.Unavailable, Op: op, Message: message, Hint: hint}
}
