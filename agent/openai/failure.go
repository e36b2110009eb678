package openai

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"time"

	"lens/agent"
	"lens/internal/errs"
	"lens/internal/provider"
)

// attemptError is why an attempt failed. The user sees err.
type attemptError struct {
	kind    provider.Kind
	err     error
	after   time.Duration // the server asks to wait this long
	begun   bool          // part of the message has come
	loading bool          // the server is loading the model, which takes its time
	noUsage bool          // the server rejects requests for the usage
	noLimit bool          // the server rejects the name of the output limit
	oneCall bool          // the server rejects messages with several calls
	room    int           // the server rejects the output limit and would take this one; 0: it does not
}

// unreachable handles a request without an answer: refused, reset, timed out or redirected.
func (m *Model) unreachable(ctx context.Context, err error) *attemptError {
	const hint = "check that the server is running and that OPENAI_BASE_URL is correct"
	switch {
	case errors.Is(err, errRedirect):
		failure := m.unavailable(m.server.Host+" redirects to another server",
			"set OPENAI_BASE_URL to that server; if a network asks you to sign in, do so first")
		return &attemptError{kind: provider.Permanent, err: failure}
	case timedOut(ctx):
		return m.silent()
	}
	failure := m.unavailable("cannot reach "+m.server.Host, hint)
	failure.Err = err
	return &attemptError{kind: provider.Transient, err: failure}
}

// silent is the failure of a server that has sent no token in time.
func (m *Model) silent() *attemptError {
	return &attemptError{kind: provider.Permanent, err: m.unavailable(
		m.server.Host+" did not answer in time: no token in "+provider.Delay(m.opts.FirstToken),
		"use a smaller model, or raise LENS_CHAT_FIRST_TOKEN; check that the server works",
	)}
}

// broken handles a reply that is not a whole message.
func (m *Model) broken(
	ctx context.Context, err error, begun bool, request chatRequest,
) *attemptError {
	var said errorReply
	var strange strangeReply
	f := &attemptError{kind: provider.Permanent, begun: begun}
	switch {
	case ctx.Err() != nil && !timedOut(ctx):
		f.err = ctx.Err()
	case errors.Is(context.Cause(ctx), errNoToken):
		return m.silent()
	case errors.As(err, &said) && begun:
		f.err = m.brokenOff(m.errorBody(said))
	case errors.As(err, &said):
		return m.refused(0, 0, m.errorBody(said), request)
	case errors.As(err, &strange) && !begun:
		f.err = m.noReply(m.errorBody(strange))
	default:
		failure := m.unavailable("connection to "+m.server.Host+" lost mid-answer", "ask again")
		failure.Err = agent.ErrBroken
		switch {
		case errors.Is(context.Cause(ctx), errIdle):
			failure.Message = m.server.Host + " stopped sending mid-answer"
		case errors.Is(err, errTooLong):
			failure.Message = "the answer from " + m.server.Host + " is too long"
		}
		f.err = failure
		f.begun = true // a connection that breaks after the headers may have cost an answer: not asked again
	}
	return f
}

// brokenOff is the error of a server that begins an answer and ends it with an error.
func (m *Model) brokenOff(words provider.ErrorBody) error {
	if words.TooLong(words.Status) {
		return m.tooLong(words)
	}
	failure := m.unavailable(m.server.Host+" broke off the answer", "ask again")
	failure.Said, failure.Err = words.Words, agent.ErrBroken
	return failure
}

// noReply is the error of a server that speaks something other than the chat API.
func (m *Model) noReply(words provider.ErrorBody) error {
	const hint = "check that OPENAI_BASE_URL names an OpenAI-compatible server (usually ends in /v1)"
	failure := m.unavailable(m.server.Host+" sent something that is not a chat reply", hint)
	if words.Page {
		failure.Message = m.server.Host + " sent a web page instead of an answer"
		failure.Hint = "sign in if your network asks for that in a browser; " + hint
	}
	failure.Said = words.Words
	return failure
}

// refused handles an error status, or 0 and an error where a message was expected.
func (m *Model) refused(
	status int, after time.Duration, words provider.ErrorBody, request chatRequest,
) *attemptError {
	f := m.explain(status, after, words, request)
	f.room = words.OutputRoom(sentLimit(request))
	f.oneCall = words.Contains(refusesParallel...) && hasParallelCalls(request.Messages)
	return f
}

// explain returns the error that the user sees after a refusal.
func (m *Model) explain(
	status int, after time.Duration, words provider.ErrorBody, request chatRequest,
) *attemptError {
	inReply := status == 0
	if inReply {
		status = words.Status
	}
	permanent := func(err error) *attemptError { return &attemptError{kind: provider.Permanent, err: err} }
	switch {
	case words.Contains("stream_options"):
		f := permanent(m.refusal(status, words))
		f.noUsage = true
		return f
	case words.TooLong(status) && !words.Contains("tools[", "function."): // not of a tool's description
		return permanent(m.tooLong(words))
	case status != http.StatusTooManyRequests && len(request.Tools) > 0 && words.NoTools():
		failure := m.unavailable(m.opts.Model+" cannot call tools", "use a model that supports tools")
		failure.Said, failure.Err = words.Words, agent.ErrNoTools
		return permanent(failure)
	case status == 0:
		failure := m.unavailable(m.server.Host+" sent an error instead of an answer", "ask again")
		failure.Said, failure.Err = words.Words, agent.ErrBroken
		return permanent(failure)
	}
	r := m.server.Refusal(status, after, words)
	failure := m.unavailable(r.Message, r.Hint)
	if status != http.StatusUnauthorized { // it quotes the key
		failure.Said = words.Words
	}
	switch r.Kind {
	case provider.BadRequest:
		limit := limitOf(request)
		f := permanent(m.refusal(status, words))
		f.noLimit = limit != "" && words.Contains(string(limit))
		return f
	case provider.RateLimited:
		failure.Code = errs.RateLimited
	}
	isLoading := r.Kind == provider.Transient && words.Contains("loading model")
	return &attemptError{kind: r.Kind, err: failure, after: after, loading: isLoading}
}

func (m *Model) tooLong(words provider.ErrorBody) error {
	return &errs.Error{
		Code: errs.TooLarge, Op: op, Message: "the conversation is too long for " + m.opts.Model,
		Hint: "start a new conversation, or use a model with a longer context",
		Said: words.Words, Err: agent.ErrContextTooLong,
	}
}

func (m *Model) refusal(status int, words provider.ErrorBody) error {
	return &errs.Error{
		Code: errs.Invalid, Op: op, Message: fmt.Sprintf("%s rejected the request (HTTP %d)", m.server.Host, status),
		Hint: "check LENS_CHAT_MODEL and OPENAI_BASE_URL", Said: words.Words,
	}
}

func (m *Model) unavailable(message, hint string) *errs.Error {
	return &errs.Error{Code: errs.Unavailable, Op: op, Message: message, Hint: hint}
}
