package openai

import (
	"context"
	"time"

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
	failures, waits := 0, 0
	for {
		vectors, f := e.attempt(ctx, items)
		if f == nil || !f.isTransient() {
			return vectors, f
		}
		if f.kind == transient {
			failures++
		}
		waits++
		if failures >= p.attempts || !retry.Wait(ctx, max(retry.WithJitter(f.after), retry.Backoff(e.opts.Backoff, waits))) {
			return nil, f
		}
	}
}
