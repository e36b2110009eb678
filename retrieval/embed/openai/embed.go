package openai

import (
	"context"
	"errors"
	"strings"

	"golang.org/x/sync/errgroup"

	"lens/internal/errs"
	"lens/internal/provider"
	"lens/retrieval/embed"
)

// errRetryTimeout distinguishes Options.BatchTimeout and QueryTimeout from the caller's own deadline.
var errRetryTimeout = errors.New("no time left to try again")

// Embed embeds texts in batches, several at once; see embed.Embedder. Errors: unavailable (wrong key, wrong model,
// server down), rate_limited, dimension_mismatch, invalid (every text is rejected), and ctx's own.
func (e *Embedder) Embed(ctx context.Context, texts []string) ([]embed.Embedding, error) {
	out := make([]embed.Embedding, len(texts))
	err := e.EmbedBatches(ctx, texts, func(at []int, results []embed.Embedding) {
		for i, result := range results {
			out[at[i]] = result
		}
	})
	for i := range out {
		if err != nil && out[i].Values == nil && out[i].Err == nil {
			out[i].Err = err
		}
	}
	return out, err
}

// EmbedBatches is Embed for callers that save each result at once: it calls arrived with the results of a request, or
// of a rejected text, as soon as they are there. results[i] belongs to texts[at[i]]. The calls are concurrent, and none
// has a text that another one had. After an error, the texts that were in no call have no result.
func (e *Embedder) EmbedBatches(ctx context.Context, texts []string, arrived embed.Arrived) error {
	refuseEmpty(texts, arrived)
	group, groupCtx := errgroup.WithContext(ctx)
	group.SetLimit(e.opts.Concurrency)
	for items := range e.batches(texts) {
		if groupCtx.Err() != nil {
			break
		}
		group.Go(func() error { return e.embedBatch(groupCtx, items, e.textLimit(), arrived) })
	}
	err := group.Wait()
	if ctx.Err() != nil {
		err = ctx.Err()
	}
	return err
}

// refuseEmpty fails the texts that no model accepts, before they spoil a batch.
func refuseEmpty(texts []string, arrived embed.Arrived) {
	for i, text := range texts {
		if isEmpty(text) {
			arriveOne(arrived, i, embed.Embedding{Err: errEmpty})
		}
	}
}

var errEmpty = &errs.Error{Code: errs.Invalid, Op: op, Message: "the text is empty"}

func arriveOne(arrived embed.Arrived, at int, result embed.Embedding) {
	arrived([]int{at}, []embed.Embedding{result})
}

func isEmpty(text string) bool { return strings.TrimSpace(text) == "" }

// embedBatch embeds items within p. An error means that no other batch would succeed either.
func (e *Embedder) embedBatch(ctx context.Context, items []item, p retryLimit, arrived embed.Arrived) error {
	ctx, cancel := context.WithTimeoutCause(ctx, p.timeout, errRetryTimeout)
	defer cancel()
	return e.embedItems(ctx, items, p, arrived)
}

// embedItems embeds items. It halves them when they are rejected, until the bad ones stand alone.
func (e *Embedder) embedItems(ctx context.Context, items []item, p retryLimit, arrived embed.Arrived) error {
	vectors, f := e.request(ctx, items, p)
	switch {
	case f == nil:
		deliver(items, vectors, arrived)
		e.served.Store(true)
		return nil
	case f.kind != provider.BadRequest:
		return f.err
	case len(items) == 1:
		return e.refuse(ctx, items[0], p, f, arrived)
	}
	half := len(items) / 2
	if err := e.embedItems(ctx, items[:half], p, arrived); err != nil {
		return err
	}
	return e.embedItems(ctx, items[half:], p, arrived)
}

func deliver(items []item, vectors [][]float32, arrived embed.Arrived) {
	at, results := make([]int, len(items)), make([]embed.Embedding, len(items))
	for i, it := range items {
		at[i] = it.at
		results[i] = embed.Embedding{Values: vectors[i], Tokens: it.tokens, Truncated: it.truncated}
		if it.truncated {
			results[i].Text = it.text
		}
		if vectors[i] == nil {
			results[i].Err = &errs.Error{
				Code: errs.Invalid, Op: op, Message: "the model returned an unusable vector (zero or not finite)",
			}
		}
	}
	arrived(at, results)
}

// minRetryTokens is the length, in tokens, below which a text that is too long for the server is not halved again.
const minRetryTokens = 16

// refuse fails one item, or tries a shorter one when the server says that it is too long: servers of local models
// have unpublished limits. When there were only rejections so far, the texts are not to blame.
func (e *Embedder) refuse(ctx context.Context, it item, p retryLimit, f *fault, arrived embed.Arrived) error {
	if f.tooLong && it.tokens >= 2*minRetryTokens {
		shorter := e.prepare(it.at, it.text, it.tokens/2)
		shorter.truncated = true
		return e.embedItems(ctx, []item{shorter}, p, arrived)
	}
	arriveOne(arrived, it.at, embed.Embedding{Tokens: it.tokens, Truncated: it.truncated, Err: f.err})
	if !e.served.Load() && e.refused.Add(1) >= maxInitialRefusals {
		return e.refusesAllError(f)
	}
	return nil
}

// maxInitialRefusals is how many texts may be rejected before the first one is embedded.
const maxInitialRefusals = 8
