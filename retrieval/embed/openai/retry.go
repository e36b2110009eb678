package openai

import (
	"context"
	"time"

	"lens/internal/provider"
	"lens/internal/retry"
)

// retryLimit says how long to retry.
type retryLimit struct {
	attempts int
	timeout  time.Duration
}

// request asks for the vectors of items until they arrive, a fault is permanent, or attempts or time run out.
// Waiting for a rate limit does not count as an attempt.
func (e *Embedder) request(ctx context.Context, items []item, p retryLimit) ([][]float32, *fault) {
	made := retry.Attempts{Max: p.attempts, First: e.opts.Backoff}
	for {
		vectors, f := e.attempt(ctx, items)
		if f == nil || !f.kind.Temporary() || !made.Again(ctx, f.kind == provider.Transient, f.after) {
			return vectors, f
		}
	}
}
