// Package openai is a client for any server with OpenAI's chat API: OpenAI itself, Ollama, llama.cpp, LM
// Studio, vLLM.
//
// The rules are:
//
//   - A message has ended once a finish_reason or [DONE] has arrived. Anything shorter is agent.ErrBroken,
//     even if the connection was closed cleanly. Without a finish_reason, or with one that no server is known to send,
//     it finishes with agent.Unknown: it may be cut.
//   - Temporary failures before the first token are retried: 429 (after Retry-After), 5xx, refused and reset
//     connections. A silent server has timeouts of its own, independent of the caller's deadline. A notice says what
//     is waited for.
//   - A reply is read in any form that servers send it: a stream, one JSON document, an error in either. What else
//     comes, such as the web page of a captive portal, is called what it is.
//   - Redirects to another server are not followed, because it would receive the conversation, if not the
//     key.
//   - A model's thinking is not part of its message, whether the server marks it (reasoning_content,
//     reasoning) or not.
//   - Errors contain no text and no key, except the server's own words, without keys, in errs.Error.Said.
package openai

import (
	"cmp"
	"errors"
	"net/http"
	"strings"
	"sync/atomic"
	"time"

	"lens/agent"
	"lens/internal/provider"
)

const op = "agent/openai: chat"

// DefaultModel is used when Options.Model is empty.
const DefaultModel = "gpt-4.1-mini"

// defaultURL is OpenAI's.
const defaultURL = "https://api.openai.com/v1"

// Options selects the server, the model and the timeouts. The zero value is OpenAI's default model without a
// key.
type Options struct {
	BaseURL string // ends before /chat/completions; empty: OpenAI's
	Key     string // empty: none is sent
	Model   string // empty: DefaultModel

	Attempts    int           // before the first token, not counting rate limits; 0: 4
	Waits       int           // before the first token, counting rate limits; 0: 10
	FirstToken  time.Duration // longest wait for the first token of an attempt; 0: ten minutes
	IdleTimeout time.Duration // longest wait for the next byte after it; 0: two minutes
	Backoff     time.Duration // first wait between attempts, doubled each time; 0: half a second
}

// Model is one model on one server. It is safe for concurrent use.
type Model struct {
	client *http.Client
	url    string
	opts   Options
	server provider.Server

	withoutUsage atomic.Bool  // the server rejects requests for the usage
	singleCalls  atomic.Bool  // the server rejects messages with several calls
	limit        atomic.Value // the limitParameter that the server accepts
}

var _ agent.Model = (*Model)(nil)

// New returns a model that sends its requests through client.
func New(client *http.Client, opts Options) *Model {
	opts.Model = cmp.Or(opts.Model, DefaultModel)
	opts.Attempts = cmp.Or(opts.Attempts, 4)
	opts.Waits = cmp.Or(opts.Waits, 10)
	opts.FirstToken = cmp.Or(opts.FirstToken, 10*time.Minute)
	opts.IdleTimeout = cmp.Or(opts.IdleTimeout, 2*time.Minute)
	opts.Backoff = cmp.Or(opts.Backoff, 500*time.Millisecond)

	base := strings.TrimRight(cmp.Or(opts.BaseURL, defaultURL), "/")
	sameHost := *client
	sameHost.CheckRedirect = refuseOtherHosts
	m := &Model{client: &sameHost, url: base + "/chat/completions", opts: opts}
	m.server = provider.Server{
		Host:          provider.HostOf(base),
		Model:         opts.Model,
		Use:           "chat",
		ModelVariable: "LENS_CHAT_MODEL",
		RetryHint:     "ask again",
		HasKey:        opts.Key != "",
	}
	m.limit.Store(limitParameterOf(opts.Model))
	return m
}

// Name implements agent.Model.
func (m *Model) Name() string { return m.opts.Model }

// errRedirect is why a redirect is not followed.
var errRedirect = errors.New("redirected to another server")

func refuseOtherHosts(next *http.Request, before []*http.Request) error {
	if next.URL.Host != before[0].URL.Host || next.URL.Scheme != before[0].URL.Scheme || len(before) >= 5 {
		return errRedirect
	}
	return nil
}
