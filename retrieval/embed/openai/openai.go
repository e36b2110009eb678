// Package openai embeds texts with any server that speaks OpenAI's embeddings API: OpenAI itself, Ollama,
// llama.cpp, LM Studio, vLLM. No other package of Lens sends texts of the archive anywhere to embed them, and this
// one does so only on request.
//
// The rules are:
//
//   - Texts travel in batches, bounded by count and by tokens. A text longer than the model reads is cut, and
//     counted.
//   - Transient faults are retried: 429 (after Retry-After), 5xx, timeouts, half-open and refused connections,
//     answers that are cut off. Each attempt has its own deadline, all attempts of a batch share another one, and
//     waits are jittered.
//   - Permanent faults are reported at once, in one sentence: a wrong key, a wrong model, an empty account.
//   - A rejected batch is halved until the one bad text stands alone; the others are embedded.
//   - An answer is checked before use: as many vectors as texts, each index once, one dimension, finite, not zero.
//   - Errors contain no text, no key and no words of the server, which might quote either.
package openai

import (
	"cmp"
	"context"
	"net/http"
	"sync/atomic"
	"time"

	api "github.com/sashabaranov/go-openai"

	"lens/internal/provider"
	"lens/retrieval/embed"
)

// DefaultModel is what Options.Model means when empty.
const DefaultModel = "text-embedding-3-large"

// Options selects server and model, and says how long to retry. The zero value is OpenAI's default model without a
// key.
type Options struct {
	BaseURL    string // ends before /embeddings; "": OpenAI's
	Key        string // "": none is sent
	Model      string // "": DefaultModel
	Provider   string // names the generation; "": "openai"
	Dimensions int    // asks for shorter vectors (text-embedding-3 and later); 0: the model's own

	MaxInputs   int // texts per request; 0: 256 for a known model, 32 for any other, never more than 2048
	MaxTokens   int // texts are cut at this many tokens; 0: the model's limit, 8191 where it is unknown
	Concurrency int // requests at once; 0: 4

	MaxAttempts    int           // tries of a request, not counting waits for a rate limit; 0: 6
	AttemptTimeout time.Duration // deadline of one try; 0: a minute
	BatchTimeout   time.Duration // deadline of all tries of a batch; 0: five minutes
	QueryTimeout   time.Duration // deadline of all tries of a query, 3 at most; 0: 10 seconds
	Backoff        time.Duration // first wait between tries, doubled each time; 0: half a second
}

// Embedder embeds with one model of one server. It is safe for concurrent use.
type Embedder struct {
	client *api.Client
	opts   Options
	model  model
	server provider.Server

	floats  atomic.Bool  // the server does not send base64
	dim     atomic.Int64 // of the first vector received
	served  atomic.Bool  // a request has succeeded
	refused atomic.Int64 // texts rejected before the first was embedded
}

var _ embed.Embedder = (*Embedder)(nil)

// New returns an embedder that reaches its server through client.
func New(client *http.Client, opts Options) *Embedder {
	opts.Model = cmp.Or(opts.Model, DefaultModel)
	opts.Provider = cmp.Or(opts.Provider, "openai")
	known := modelNamed(opts.Model)
	opts.MaxInputs = min(cmp.Or(opts.MaxInputs, known.inputs), maxInputs)
	opts.MaxTokens = cmp.Or(opts.MaxTokens, known.textTokens)
	opts.Concurrency = cmp.Or(opts.Concurrency, 4)
	opts.MaxAttempts = cmp.Or(opts.MaxAttempts, 6)
	opts.AttemptTimeout = cmp.Or(opts.AttemptTimeout, time.Minute)
	opts.BatchTimeout = cmp.Or(opts.BatchTimeout, 5*time.Minute)
	opts.QueryTimeout = cmp.Or(opts.QueryTimeout, 10*time.Second)
	opts.Backoff = cmp.Or(opts.Backoff, 500*time.Millisecond)

	config := api.DefaultConfig(opts.Key)
	config.BaseURL = cmp.Or(opts.BaseURL, config.BaseURL)
	config.HTTPClient = &doer{client}
	e := &Embedder{client: api.NewClientWithConfig(config), opts: opts, model: known, server: provider.Server{
		Host: provider.HostOf(config.BaseURL), Model: opts.Model, Use: "embedding", ModelVariable: "LENS_EMBEDDING_MODEL",
		RetryHint: "run this again to resume", HasKey: opts.Key != "",
	}}
	e.dim.Store(int64(opts.Dimensions))
	e.floats.Store(!known.base64)
	return e
}

// Model names the provider and the model.
func (e *Embedder) Model() (provider, name string) { return e.opts.Provider, e.opts.Model }

// EmbedQuery returns the vector of one text. Errors: invalid (nothing to embed, or refused), rate_limited, unavailable,
// dimension_mismatch, and ctx's own.
func (e *Embedder) EmbedQuery(ctx context.Context, text string) ([]float32, error) {
	if isEmpty(text) {
		return nil, errEmpty
	}
	var result embed.Embedding
	arrived := func(_ []int, results []embed.Embedding) { result = results[0] }
	if err := e.embedBatch(ctx, []item{e.prepareQuery(text)}, e.queryLimit(), arrived); err != nil {
		return nil, err
	}
	return result.Values, result.Err
}

func (e *Embedder) textLimit() retryLimit { return retryLimit{e.opts.MaxAttempts, e.opts.BatchTimeout} }

func (e *Embedder) queryLimit() retryLimit {
	return retryLimit{min(e.opts.MaxAttempts, 3), e.opts.QueryTimeout}
}
