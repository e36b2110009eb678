package tui

import (
	"context"
	"sync/atomic"
	"time"
)

// numbers counts requests, of all lanes: one of a workspace that was dropped has no number of a later one.
var numbers atomic.Int64

// lane tracks requests of one kind, of which only the newest counts. The key identifies the request; the zero key is
// none.
type lane[K comparable] struct {
	key    K
	gen    int
	cancel context.CancelFunc
	since  time.Time // when the request began; zero: none is in progress
}

// ask begins a request and cancels the previous one, unless the key is unchanged. The result must carry gen.
func (l *lane[K]) ask(ctx context.Context, key K, now time.Time) (_ context.Context, gen int, ok bool) {
	if key == l.key {
		return nil, 0, false
	}
	l.stop()
	l.key, l.since = key, now
	ctx, l.cancel = context.WithCancel(ctx)
	return ctx, l.gen, true
}

// accept reports whether gen belongs to the newest request, and ends that request.
func (l *lane[K]) accept(gen int) bool {
	if gen != l.gen || l.since.IsZero() {
		return false
	}
	l.since = time.Time{}
	l.cancel()
	return true
}

// stop cancels the request; a late result is dropped. The key stays, so that the request is not repeated automatically.
func (l *lane[K]) stop() (stopped bool) {
	stopped = !l.since.IsZero()
	if stopped {
		l.cancel()
	}
	l.gen = int(numbers.Add(1))
	l.since = time.Time{}
	return stopped
}

// forget is stop, and allows the same request again.
func (l *lane[K]) forget() {
	var none K
	l.stop()
	l.key = none
}

// waiting returns how long the request has taken, 0 for none.
func (l *lane[K]) waiting(now time.Time) time.Duration {
	if l.since.IsZero() {
		return 0
	}
	return max(1, now.Sub(l.since))
}
