package postgres

import (
	"context"
	"errors"
	"fmt"
	"time"

	"lens/internal/errs"
	"lens/store/failure"

	"github.com/jackc/pgx/v5/pgconn"
)

// lockLinger is how long the lock is held after a commit.
const lockLinger = 300 * time.Millisecond

// lockNotAvailable is the SQLSTATE of a wait for a lock that timed out.
const lockNotAvailable = "55P03"

// writer lets one process write at a time and names it to the others. The lock belongs to the
// connection, which is opened to acquire it and closed to release it. Both are kept for a moment after
// each commit, so that an import holds the lock from its first batch to its last.
type writer struct {
	connect func(ctx context.Context) (*conn, error)
	wait    time.Duration
	token   chan struct{} // holds one token; its holder may use the fields below
	conn    *conn         // nil: this process does not hold the lock
	expiry  *time.Timer
}

func newWriter(connect func(context.Context) (*conn, error), wait time.Duration) *writer {
	w := &writer{connect: connect, wait: wait, token: make(chan struct{}, 1)}
	w.token <- struct{}{}
	w.expiry = time.AfterFunc(lockLinger, w.expire)
	return w
}

// acquire returns a connection that holds the lock. It waits first for this process's other
// goroutines, then for other processes.
func (w *writer) acquire(ctx context.Context) (*conn, error) {
	timer := time.NewTimer(w.wait)
	defer timer.Stop()
	select {
	case _, open := <-w.token:
		if !open {
			return nil, failure.ErrClosed
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

// lock opens the connection and acquires the lock, unless a connection from the last commit is still
// alive.
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
		if mine { // granted at the moment the wait ended
			return nil
		}
		return busyError(holder)
	}
	return err
}

// release returns the connection. It gives up the lock after lockLinger unless the lock is acquired
// again before.
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
	default: // acquired again
	}
}

func (w *writer) drop() {
	if w.conn != nil {
		w.conn.disconnect()
		w.conn = nil
	}
}

// close waits for a running write and refuses further ones.
func (w *writer) close() {
	<-w.token
	close(w.token)
	w.expiry.Stop()
	w.drop()
}

// busyError is the error of a writer that has waited long enough.
func busyError(holder string) error {
	return &errs.Error{
		Code: errs.Unavailable, Op: "postgres: update", Message: "the archive is being written by " + holder,
		Hint: "wait until it finishes, or end it, and try again",
	}
}

// lockHolder names the holder of the lock, as far as the server reveals it. mine reports whether it is
// c.
func (c *conn) lockHolder(ctx context.Context) (holder string, mine bool) {
	holder = "another program"
	_ = c.each(ctx, "LockHolder", nil, func(r row) error { // best effort: the name is only for the message
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
