// Package retry says how long to wait before a server is asked again: doubling and with jitter, as long as the server asks for, and never
// beyond a deadline. It opens nothing, and decides nothing about what is worth another try.
package retry

import (
	"context"
	"math/rand/v2"
	"net/http"
	"strconv"
	"time"
)

// Longest bounds the wait between two tries when the server has not named one.
const Longest = 20 * time.Second

// Backoff returns the n-th wait, n from 1: doubling from first, of which a random half is spared, so that many do not come back at once.
func Backoff(first time.Duration, n int) time.Duration {
	d := min(first<<min(n-1, 16), Longest)
	return d/2 + rand.N(d/2+1)
}

// Stretched adds up to a tenth to a wait that the server named: later for jitter, never sooner.
func Stretched(d time.Duration) time.Duration { return d + rand.N(d/10+1) }

// Wait sleeps for d. It says false, at once, when ctx would be over by then.
func Wait(ctx context.Context, d time.Duration) bool {
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

// After reads how long the server asks to wait: milliseconds in OpenAI's retry-after-ms, else seconds or a date (RFC 9110, 10.2.3). 0 for
// none, or for one that makes no sense.
func After(h http.Header, now time.Time) time.Duration {
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
