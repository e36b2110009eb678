// Package async tracks what runs in the background of the explorer: of requests of one kind the latest counts, and
// tasks are waited for at exit.
package async

import (
	"context"
	"sync/atomic"
	"time"
)

// numbers counts requests of all kinds: one of a workspace that was dropped has no number of a later one.
var numbers atomic.Int64

// Latest tracks requests of one kind, of which only the newest counts. The key identifies the request; the zero key is
// none.
type Latest[K comparable] struct {
	key    K
	number int
	cancel context.CancelFunc
	since  time.Time // when the request began; zero: none is in progress
}

// Ask begins a request and cancels the previous one, unless the key is unchanged. The result must carry number.
func (l *Latest[K]) Ask(ctx context.Context, key K, now time.Time) (_ context.Context, number int, ok bool) {
	if key == l.key {
		return nil, 0, false
	}
	l.Stop()
	l.key, l.since = key, now
	ctx, l.cancel = context.WithCancel(ctx)
	return ctx, l.number, true
}

// Accept reports whether number belongs to the newest request, and ends that request.
func (l *Latest[K]) Accept(number int) bool {
	if number != l.number || l.since.IsZero() {
		return false
	}
	l.since = time.Time{}
	l.cancel()
	return true
}

// Stop cancels the request; a late result is dropped. The key stays, so that the request is not repeated automatically.
func (l *Latest[K]) Stop() (stopped bool) {
	stopped = !l.since.IsZero()
	if stopped {
		l.cancel()
	}
	l.number = int(numbers.Add(1))
	l.since = time.Time{}
	return stopped
}

// Forget is Stop, and allows the same request again.
func (l *Latest[K]) Forget() {
	var none K
	l.Stop()
	l.key = none
}

// Key returns the key of the newest request, the zero key for none.
func (l *Latest[K]) Key() K { return l.key }

// IsBusy reports whether a request is in progress.
func (l *Latest[K]) IsBusy() bool { return !l.since.IsZero() }

// Waiting returns how long the request has taken, 0 for none.
func (l *Latest[K]) Waiting(now time.Time) time.Duration {
	if l.since.IsZero() {
		return 0
	}
	return max(1, now.Sub(l.since))
}

// Wait waits, and reports whether it did so before ctx ended.
func Wait(ctx context.Context, pause time.Duration) bool {
	if pause <= 0 {
		return ctx.Err() == nil
	}
	timer := time.NewTimer(pause)
	defer timer.Stop()
	select {
	case <-timer.C:
		return true
	case <-ctx.Done():
		return false
	}
}
