// Package retry says whether and when a server is asked again: after waits that double, with jitter, no shorter than
// the server asks for, and never beyond a deadline. The caller decides what is worth retrying, and does the retrying.
package retry

import (
	"context"
	"math/rand/v2"
	"net/http"
	"strconv"
	"time"
)

// Attempts counts the failures of one request.
type Attempts struct {
	Max      int           // failures after which it gives up
	MaxWaits int           // waits after which it gives up, also for a server that limits the rate; 0: unlimited
	First    time.Duration // wait, which doubles

	failures, waits int
}

// Wait is the pause before another attempt.
type Wait struct {
	For   time.Duration
	N, Of int // this is the N-th wait of at most Of, for the reason it was asked for; Of is 0 if there is no limit
}

// Again waits after an attempt. It returns false, at once, if the request has failed too often, or if ctx would end
// before the wait. after is how long the server asks to wait, 0 for no wish. A server that limits the rate of requests
// has not failed.
func (a *Attempts) Again(ctx context.Context, failed bool, after time.Duration) bool {
	wait, ok := a.Next(ctx, failed, after)
	return ok && wait.Sleep(ctx)
}

// Next is Again without the pause: the caller can say what it waits for, and then sleeps. What fails because ctx has
// ended is never made again.
func (a *Attempts) Next(ctx context.Context, failed bool, after time.Duration) (Wait, bool) {
	if failed {
		a.failures++
	}
	a.waits++
	w := Wait{max(withJitter(after), Backoff(a.First, a.waits)), a.waits, a.MaxWaits}
	if failed {
		w.N, w.Of = a.failures, a.Max-1
	}
	if deadline, ok := ctx.Deadline(); ok && time.Until(deadline) <= w.For || ctx.Err() != nil {
		return w, false
	}
	return w, a.failures < a.Max && (a.MaxWaits == 0 || a.waits <= a.MaxWaits)
}

// maxBackoff bounds the wait between two tries if the server has not named one.
const maxBackoff = 20 * time.Second

// Backoff returns the n-th wait, n from 1. The wait doubles from first, and a random part of it, up to half, is
// subtracted, so that many clients do not come back at once.
func Backoff(first time.Duration, n int) time.Duration {
	d := min(first<<min(n-1, 16), maxBackoff)
	return d/2 + rand.N(d/2+1)
}

// withJitter adds up to a tenth to a wait that the server named. It never shortens the wait.
func withJitter(d time.Duration) time.Duration { return d + rand.N(d/10+1) }

// Sleep sleeps. It returns false if ctx ends before that.
func (w Wait) Sleep(ctx context.Context) bool {
	timer := time.NewTimer(w.For)
	defer timer.Stop()
	select {
	case <-ctx.Done():
		return false
	case <-timer.C:
		return true
	}
}

// After returns how long the server asks to wait: milliseconds in OpenAI's Retry-After-Ms, or seconds or a date in
// Retry-After (RFC 9110, 10.2.3). It returns 0 if there is no such header, or if its value makes no sense.
func After(h http.Header, now time.Time) time.Duration {
	if ms, err := strconv.ParseFloat(h.Get("Retry-After-Ms"), 64); err == nil {
		return clamp(ms / 1000)
	}
	value := h.Get("Retry-After")
	if seconds, err := strconv.ParseFloat(value, 64); err == nil {
		return clamp(seconds)
	}
	if date, err := http.ParseTime(value); err == nil {
		return clamp(date.Sub(now).Seconds())
	}
	return 0
}

// clamp bounds a wait to 0..24 hours. NaN becomes 0.
func clamp(seconds float64) time.Duration {
	if !(seconds > 0) {
		return 0
	}
	return time.Duration(min(seconds, 24*60*60) * float64(time.Second))
}
