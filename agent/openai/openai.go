// Package openai talks to any server that speaks OpenAI's chat API: OpenAI itself, Ollama, llama.cpp, LM Studio, vLLM.
//
// The rules are:
//
//   - A message is whole when a finish_reason or [DONE] has come. Whatever ends sooner is agent.ErrBroken, however politely the connection
//     was closed.
//   - What may pass is waited for, as long as nothing of the answer has come: 429 (for as long as Retry-After says), 5xx, refused and reset
//     connections. Silence has a deadline of its own, beside that of the caller.
//   - No redirect to another server is followed: it would get the conversation, if not the key.
//   - What a model thinks aloud is no part of its message, whether the server tells it apart (reasoning_content, reasoning) or not.
//   - Errors hold no text, no key and no words of the server, which might quote either.
package openai

import (
	"cmp"
	"errors"
	"net/http"
	"sync/atomic"
	"time"

	api "github.com/sashabaranov/go-openai"
	"github.com/tiktoken-go/tokenizer"

	"lens/agent"
	"lens/internal/provider"
)

const op = "openai: chat"

// DefaultModel is what Options.Model means when empty.
const DefaultModel = "gpt-4.1-mini"

// Options says which server and model, and how patient to be. The zero value is OpenAI's default model without a key.
type Options struct {
	BaseURL string // ends before /chat/completions; "": OpenAI's
	Key     string // "": none is sent
	Model   string // "": DefaultModel

	Attempts    int           // tries before the first byte, waits for a rate limit not counted; 0: 4
	IdleTimeout time.Duration // the longest wait for the next byte; 0: two minutes
	Backoff     time.Duration // first wait between tries, doubled each time; 0: half a second
}

// Model is one model of one server. It is safe for concurrent use.
type Model struct {
	client *api.Client
	opts   Options
	server provider.Server
	codec  func() tokenizer.Codec

	withoutUsage atomic.Bool // the server does not want to be asked for usage
}

var _ agent.Model = (*Model)(nil)

// New returns a model that is reached through client.
func New(client *http.Client, opts Options) *Model {
	opts.Model = cmp.Or(opts.Model, DefaultModel)
	opts.Attempts = cmp.Or(opts.Attempts, 4)
	opts.IdleTimeout = cmp.Or(opts.IdleTimeout, 2*time.Minute)
	opts.Backoff = cmp.Or(opts.Backoff, 500*time.Millisecond)

	config := api.DefaultConfig(opts.Key)
	config.BaseURL = cmp.Or(opts.BaseURL, config.BaseURL)
	config.EmptyMessagesLimit = 1 << 30 // heartbeats are no fault: Silence and the caller bound them
	sameHost := *client
	sameHost.CheckRedirect = refuseOtherHosts
	config.HTTPClient = &recordingDoer{client: &sameHost}
	server := provider.Server{
		Host: provider.HostOf(config.BaseURL), Model: opts.Model, Use: "chat", ModelVariable: "LENS_CHAT_MODEL", RetryHint: "ask again", HasKey: opts.Key != "",
	}
	return &Model{client: api.NewClientWithConfig(config), opts: opts, server: server, codec: codecOf(opts.Model)}
}

// Name implements agent.Model.
func (m *Model) Name() string { return m.opts.Model }

// errAway is why a redirect is not followed.
var errRedirect = errors.New("redirected to another server")

func refuseOtherHosts(next *http.Request, before []*http.Request) error {
	if next.URL.Host != before[0].URL.Host || next.URL.Scheme != before[0].URL.Scheme || len(before) >= 5 {
		return errRedirect
	}
	return nil
}
