package openai

import (
	"context"
	"math/rand/v2"
	"net/http"
	"strconv"
	"time"
)

// patience says how long to try.
type patience struct {
	attempts int
	overall  time.Duration
}

// longestBackoff bounds the wait between two tries when the server has not named one.
const longestBackoff = 20 * time.Second

// request asks for the vectors of items until they come, the fault is one that stays, or attempts or time run out. Waiting for a
// rate limit is no attempt.
func (e *Embedder) request(ctx context.Context, items []item, p patience) ([][]float32, *fault) {
	failures, waits := 0, 0
	for {
		vectors, f := e.attempt(ctx, items)
		if f == nil || !f.passes() {
			return vectors, f
		}
		if f.kind == transient {
			failures++
		}
		waits++
		if failures >= p.attempts || !wait(ctx, max(stretched(f.after), e.backoff(waits))) {
			return nil, f
		}
	}
}

// backoff returns the n-th wait: doubling from Options.Backoff, of which a random half is spared, so that many do not come back at
// once.
func (e *Embedder) backoff(n int) time.Duration {
	d := min(e.opts.Backoff<<min(n-1, 16), longestBackoff)
	return d/2 + rand.N(d/2+1)
}

// stretched adds up to a tenth to a wait that the server named: later for jitter, never sooner.
func stretched(d time.Duration) time.Duration { return d + rand.N(d/10+1) }

// wait sleeps for d. It says false, at once, when ctx would be over by then.
func wait(ctx context.Context, d time.Duration) bool {
	if deadline, ok := ctx.Deadline(); ok && time.Until(deadline) <= d {
		return false
	}
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-ctx.Done():
		return false
	case <-timer.C:
		return true
	}
}

// retryAfter reads how long the server asks to wait: milliseconds in OpenAI's retry-after-ms, else seconds or a date (RFC 9110,
// 10.2.3). 0 for none, or for one that makes no sense.
func retryAfter(h http.Header, now time.Time) time.Duration {
	if ms, err := strconv.ParseFloat(h.Get("Retry-After-Ms"), 64); err == nil {
		return inFuture(ms / 1000)
	}
	value := h.Get("Retry-After")
	if seconds, err := strconv.ParseFloat(value, 64); err == nil {
		return inFuture(seconds)
	}
	if date, err := http.ParseTime(value); err == nil {
		return inFuture(date.Sub(now).Seconds())
	}
	return 0
}

// inFuture bounds a wait to 0..24 hours, NaN to 0.
func inFuture(seconds float64) time.Duration {
	if !(seconds > 0) {
		return 0
	}
	return time.Duration(min(seconds, 24*60*60) * float64(time.Second))
}
