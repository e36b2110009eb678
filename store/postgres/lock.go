package postgres

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5/pgconn"

	"lens/store"
)

// lockLinger is how long the lock outlives a commit.
const lockLinger = 300 * time.Millisecond

// lockNotAvailable is the code with which the server ends a wait for a lock.
const lockNotAvailable = "55P03"

// writer lets one process write at a time, and says which. The lock and the connection are one: it is opened to take the lock and
// closed to give it back. It outlives each commit by a moment, so that an import keeps the lock from its first batch to its last.
type writer struct {
	connect func(ctx context.Context) (*conn, error)
	wait    time.Duration
	token   chan struct{} // holds one token: who takes it may use the rest
	conn    *conn         // nil: this process does not hold the lock
	expiry  *time.Timer
}

func newWriter(connect func(context.Context) (*conn, error), wait time.Duration) *writer {
	w := &writer{connect: connect, wait: wait, token: make(chan struct{}, 1)}
	w.token <- struct{}{}
	w.expiry = time.AfterFunc(lockLinger, w.expire)
	return w
}

// take returns a connection that holds the lock, first from this process's other goroutines, then from other processes.
func (w *writer) acquire(ctx context.Context) (*conn, error) {
	timer := time.NewTimer(w.wait)
	defer timer.Stop()
	select {
	case _, open := <-w.token:
		if !open {
			return nil, errClosed
		}
	case <-ctx.Done():
		return nil, ctx.Err()
	case <-timer.C:
		return nil, busyError("another part of this process")
	}
	w.expiry.Stop()
	if err := w.lock(ctx); err != nil {
		w.drop()
		w.token <- struct{}{}
		return nil, err
	}
	return w.conn, nil
}

// lock makes sure that the connection is there and holds the lock. One that lingers may have died.
func (w *writer) lock(ctx context.Context) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	if w.conn != nil && w.conn.Ping(ctx) == nil {
		return nil
	}
	w.drop()
	var err error
	if w.conn, err = connectWithRetry(ctx, w.connect); err != nil {
		return err
	}
	if _, err := w.conn.run(ctx, "PrepareWriting", fmt.Sprint(max(w.wait.Milliseconds(), 1))); err != nil {
		return err
	}
	_, err = w.conn.run(ctx, "Lock")
	var serverErr *pgconn.PgError
	if errors.As(err, &serverErr) && serverErr.Code == lockNotAvailable {
		holder, mine := w.conn.lockHolder(ctx)
		if mine { // granted in the very moment in which the wait ended
			return nil
		}
		return busyError(holder)
	}
	return err
}

// give gives the connection back: in a moment the lock too, unless it is taken again until then.
func (w *writer) release() {
	if w.conn.IsClosed() {
		w.conn = nil
	}
	w.expiry.Reset(lockLinger)
	w.token <- struct{}{}
}

func (w *writer) expire() {
	select {
	case _, open := <-w.token:
		if open {
			w.drop()
			w.token <- struct{}{}
		}
	default: // taken again
	}
}

func (w *writer) drop() {
	if w.conn != nil {
		w.conn.disconnect()
		w.conn = nil
	}
}

// close waits for the write that is running, and lets nobody write any more.
func (w *writer) close() {
	<-w.token
	close(w.token)
	w.expiry.Stop()
	w.drop()
}

// busy is the error for who has waited long enough.
func busyError(holder string) error {
	return &store.Error{
		Code: store.CodeUnavailable, Op: "postgres: update", Message: "the archive is being written by " + holder,
		Hint: "Wait until it has finished, or end it, and try again.",
	}
}

// lockHolder names who holds the lock, as far as the server tells, and whether it is c.
func (c *conn) lockHolder(ctx context.Context) (holder string, mine bool) {
	holder = "another program"
	_ = c.each(ctx, "LockHolder", nil, func(r row) error { // not knowing is no reason to fail otherwise
		if verb := r.text(1); verb != "" {
			holder = "`" + verb + "`"
		}
		holder += fmt.Sprintf(" (server process %d", r.number(0))
		if address := r.text(2); address != "" {
			holder += " for " + address
		}
		holder += ")"
		mine = r.bool(3)
		return nil
	})
	return holder, mine
}
