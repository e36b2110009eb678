package tui

import (
	"context"
	"time"
)

// lane is a line of requests of one kind of which only the last one counts. A key says what was asked for; the zero key is nothing.
type lane[K comparable] struct {
	key    K
	gen    int
	cancel context.CancelFunc
	since  time.Time // zero: nothing is under way
}

// ask begins a request, unless the very same was the last to be asked; the one before is cancelled. The answer must carry gen.
func (l *lane[K]) ask(ctx context.Context, key K, now time.Time) (_ context.Context, gen int, ok bool) {
	if key == l.key {
		return nil, 0, false
	}
	l.stop()
	l.key, l.since = key, now
	ctx, l.cancel = context.WithCancel(ctx)
	return ctx, l.gen, true
}

// accept reports whether gen answers the last request, and ends it.
func (l *lane[K]) accept(gen int) bool {
	if gen != l.gen || l.since.IsZero() {
		return false
	}
	l.since = time.Time{}
	l.cancel()
	return true
}

// stop cancels what is under way, and lets no answer to it through. The key stays: what was cancelled is not asked for again by itself.
func (l *lane[K]) stop() (stopped bool) {
	stopped = !l.since.IsZero()
	if stopped {
		l.cancel()
	}
	l.gen++
	l.since = time.Time{}
	return stopped
}

// forget stops, and lets the same be asked again.
func (l *lane[K]) forget() {
	var none K
	l.stop()
	l.key = none
}

// waiting returns how long the request under way has taken, 0 for none.
func (l *lane[K]) waiting(now time.Time) time.Duration {
	if l.since.IsZero() {
		return 0
	}
	return max(1, now.Sub(l.since))
}
