package postgres

import (
	"context"
	"time"

	pgxvector "github.com/pgvector/pgvector-go/pgx"
)

const (
	retryTimeout  = 10 * time.Second       // with a server that is being restarted, on a machine that has much else to do
	retryInterval = 100 * time.Millisecond // how often it is knocked at
)

// read runs fn on a connection; once more when the server went away under it, so fn must begin anew when it is called again. op names
// the operation in errors. fn's statements see a commit each: where several must agree, snapshot is for them.
func (s *Store) read(ctx context.Context, op string, fn func(c *conn) error) error {
	interrupted, err := s.withConn(ctx, fn)
	if interrupted {
		s.pool.Reset() // what else is idle in it is as dead
		_, err = s.withConn(ctx, fn)
	}
	return s.explain(ctx, op, err)
}

// lend lends fn a connection of the pool. interrupted says that it was lost under fn.
func (s *Store) withConn(ctx context.Context, fn func(c *conn) error) (interrupted bool, err error) {
	if err := s.checkOpen(ctx); err != nil {
		return false, err
	}
	lent, err := connectWithRetry(ctx, s.pool.Acquire)
	if err != nil {
		return false, err
	}
	defer lent.Release()
	err = fn(&conn{lent.Conn()})
	return isConnLost(err) && ctx.Err() == nil, err
}

func (s *Store) checkOpen(ctx context.Context) error {
	if s.closed.Load() {
		return errClosed
	}
	return ctx.Err()
}

// snapshot is read with all of fn's queries seeing the same commit.
func (s *Store) snapshot(ctx context.Context, op string, fn func(c *conn) error) error {
	return s.read(ctx, op, func(c *conn) error { return c.snapshot(ctx, func() error { return fn(c) }) })
}

// beginSnapshot begins a transaction whose statements all see the same commit.
const beginSnapshot = "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY"

func (c *conn) snapshot(ctx context.Context, fn func() error) error {
	return c.transaction(ctx, beginSnapshot, fn)
}

// stream is snapshot over a connection of its own, for reads that last as long as their caller likes: those must not use up the
// pool. fn is not called again once it has returned true.
func (s *Store) stream(ctx context.Context, op string, fn func(c *conn) (begun bool, err error)) error {
	interrupted, err := s.streamOnce(ctx, fn)
	if interrupted {
		_, err = s.streamOnce(ctx, fn)
	}
	return s.explain(ctx, op, err)
}

// streamOnce is to stream what lend is to read. What has begun cannot be interrupted any more, only end.
func (s *Store) streamOnce(ctx context.Context, fn func(c *conn) (begun bool, err error)) (interrupted bool, err error) {
	if err := s.checkOpen(ctx); err != nil {
		return false, err
	}
	c, err := connectWithRetry(ctx, s.connect)
	if err != nil {
		return false, err
	}
	defer c.disconnect()
	if err := pgxvector.RegisterTypes(ctx, c.Conn); err != nil {
		return false, err
	}
	begun := false
	err = c.snapshot(ctx, func() error {
		begun, err = fn(c)
		return err
	})
	return isConnLost(err) && !begun && ctx.Err() == nil, err
}

// leave closes a connection that nobody waits for.
func (c *conn) disconnect() {
	ctx, cancel := context.WithTimeout(context.Background(), cleanupTimeout)
	defer cancel()
	_ = c.Close(ctx)
}

// connectWithRetry gets a connection of a server that answered before, and may be on its way back.
func connectWithRetry[T any](ctx context.Context, get func(context.Context) (T, error)) (T, error) {
	for began := time.Now(); ; {
		c, err := get(ctx)
		if !isConnLost(err) || time.Since(began) > retryTimeout {
			return c, err
		}
		select {
		case <-ctx.Done():
			return c, ctx.Err()
		case <-time.After(retryInterval):
		}
	}
}
