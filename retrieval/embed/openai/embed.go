package openai

import (
	"context"
	"errors"
	"strings"

	"golang.org/x/sync/errgroup"

	"lens/retrieval/embed"
)

// errRetryTimeout tells the end of Options.BatchTimeout or QueryTimeout from the caller's own deadline.
var errRetryTimeout = errors.New("no time left to try again")

// Embed embeds texts in batches, several at once; see embed.Embedder.
// Errors: unavailable (wrong key, wrong model, server away), rate_limited, dimension_mismatch, invalid (every text is refused), and
// ctx's own.
func (e *Embedder) Embed(ctx context.Context, texts []string) ([]embed.Embedding, error) {
	out := make([]embed.Embedding, len(texts))
	refuseEmpty(texts, out)
	group, groupCtx := errgroup.WithContext(ctx)
	group.SetLimit(e.opts.Concurrency)
	for items := range e.batches(texts) {
		if groupCtx.Err() != nil {
			break
		}
		group.Go(func() error { return e.embedBatch(groupCtx, items, e.textLimit(), out) })
	}
	err := group.Wait()
	if ctx.Err() != nil {
		err = ctx.Err()
	}
	for i := range out {
		if err != nil && out[i].Values == nil && out[i].Err == nil {
			out[i].Err = err
		}
	}
	return out, err
}

// refuseEmpty fails the texts that no model takes, before they spoil a batch.
func refuseEmpty(texts []string, out []embed.Embedding) {
	for i, text := range texts {
		if isEmpty(text) {
			out[i].Err = &embed.Error{Code: "invalid", Op: op, Message: "the text is empty"}
		}
	}
}

func isEmpty(text string) bool { return strings.TrimSpace(text) == "" }

// embedBatch embeds items into out within p. An error means that no other batch will fare better.
func (e *Embedder) embedBatch(ctx context.Context, items []item, p retryLimit, out []embed.Embedding) error {
	ctx, cancel := context.WithTimeoutCause(ctx, p.timeout, errRetryTimeout)
	defer cancel()
	return e.embedItems(ctx, items, p, out)
}

// embedItems embeds items into out, and halves them when they are refused, until the bad ones stand alone.
func (e *Embedder) embedItems(ctx context.Context, items []item, p retryLimit, out []embed.Embedding) error {
	vectors, f := e.request(ctx, items, p)
	switch {
	case f == nil:
		deliver(items, vectors, out)
		e.served.Store(true)
		return nil
	case f.kind != refusal:
		return f.err
	case len(items) == 1:
		return e.refuse(ctx, items[0], p, f, out)
	}
	half := len(items) / 2
	if err := e.embedItems(ctx, items[:half], p, out); err != nil {
		return err
	}
	return e.embedItems(ctx, items[half:], p, out)
}

func deliver(items []item, vectors [][]float32, out []embed.Embedding) {
	for i, it := range items {
		out[it.at] = embed.Embedding{Values: vectors[i], Tokens: it.tokens, Truncated: it.truncated}
		if vectors[i] == nil {
			out[it.at].Err = &embed.Error{Code: "invalid", Op: op, Message: "the model returned an unusable vector (zero or not finite)"}
		}
	}
}

// minRetryTokens is where a text that is said to be too long is no longer halved, in tokens.
const minRetryTokens = 16

// refuse fails one item, or tries a shorter one when it is said to be too long: servers of local models know limits that are
// published nowhere. When nothing but refusals has come so far, the fault is not the texts'.
func (e *Embedder) refuse(ctx context.Context, it item, p retryLimit, f *fault, out []embed.Embedding) error {
	if f.tooLong && it.tokens >= 2*minRetryTokens {
		shorter := e.prepare(it.at, it.text, it.tokens/2)
		shorter.truncated = true
		return e.embedItems(ctx, []item{shorter}, p, out)
	}
	out[it.at] = embed.Embedding{Tokens: it.tokens, Truncated: it.truncated, Err: f.err}
	if !e.served.Load() && e.refused.Add(1) >= maxInitialRefusals {
		return e.refusesAllError(f)
	}
	return nil
}

// maxInitialRefusals is how many texts may be refused before the first one is embedded.
const maxInitialRefusals = 8
