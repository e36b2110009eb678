// Package openai is a client for any server with OpenAI's chat API: OpenAI itself, Ollama, llama.cpp, LM
// Studio, vLLM.
//
// The rules are:
//
//   - A message is complete once a finish_reason or [DONE] has arrived. Anything shorter is agent.ErrBroken,
//     even if the connection was closed cleanly.
//   - Temporary failures before the first byte are retried: 429 (after Retry-After), 5xx, refused and reset
//     connections. A silent server has a timeout of its own, independent of the caller's deadline.
//   - Redirects to another server are not followed, because it would receive the conversation, if not the
//     key.
//   - A model's thinking is not part of its message, whether the server marks it (reasoning_content,
//     reasoning) or not.
//   - Errors contain no text, no key and no words of the server, which might quote either.
package openai

import (
	"cmp"
	"errors"
	"net/http"
	"sync/atomic"
	"time"

	api "github.com/sashabaranov/go-openai"

	"lens/agent"
	"lens/internal/bpe"
	"lens/internal/provider"
)

const op = "agent/openai: chat"

// DefaultModel is used when Options.Model is empty.
const DefaultModel = "gpt-4.1-mini"

// Options selects the server, the model and the timeouts. The zero value is OpenAI's default model without a
// key.
type Options struct {
	BaseURL string // ends before /chat/completions; empty: OpenAI's
	Key     string // empty: none is sent
	Model   string // empty: DefaultModel

	Attempts    int           // before the first byte, not counting rate limits; 0: 4
	IdleTimeout time.Duration // longest wait for the next byte; 0: two minutes
	Backoff     time.Duration // first wait between attempts, doubled each time; 0: half a second
}

// Model is one model on one server. It is safe for concurrent use.
type Model struct {
	client     *api.Client
	opts       Options
	server     provider.Server
	vocabulary func() *bpe.Vocabulary

	withoutUsage atomic.Bool  // the server rejects requests for the usage
	limit        atomic.Value // the limitParameter that the server accepts
}

var _ agent.Model = (*Model)(nil)

// New returns a model that sends its requests through client.
func New(client *http.Client, opts Options) *Model {
	opts.Model = cmp.Or(opts.Model, DefaultModel)
	opts.Attempts = cmp.Or(opts.Attempts, 4)
	opts.IdleTimeout = cmp.Or(opts.IdleTimeout, 2*time.Minute)
	opts.Backoff = cmp.Or(opts.Backoff, 500*time.Millisecond)

	config := api.DefaultConfig(opts.Key)
	config.BaseURL = cmp.Or(opts.BaseURL, config.BaseURL)
	config.EmptyMessagesLimit = 1 << 30 // unlimited heartbeats: IdleTimeout and the caller bound them
	sameHost := *client
	sameHost.CheckRedirect = refuseOtherHosts
	config.HTTPClient = &recordingDoer{client: &sameHost}
	server := provider.Server{
		Host:          provider.HostOf(config.BaseURL),
		Model:         opts.Model,
		Use:           "chat",
		ModelVariable: "LENS_CHAT_MODEL",
		RetryHint:     "ask again",
		HasKey:        opts.Key != "",
	}
	m := &Model{
		client: api.NewClientWithConfig(config), opts: opts, server: server, vocabulary: vocabularyOf(opts.Model),
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
