package postgres

import (
	"context"
	"time"

	"lens/store/failure"

	pgxvector "github.com/pgvector/pgvector-go/pgx"
)

const (
	retryTimeout  = 10 * time.Second       // for a server that restarts on a busy machine
	retryInterval = 100 * time.Millisecond // the interval between attempts
)

// read runs fn on a connection. If the connection is lost, it runs fn once more, so fn must start over
// when it is called again. op names the operation in errors. Each of fn's statements sees its own
// commit; use snapshot if several must agree.
func (s *Store) read(ctx context.Context, op string, fn func(c *conn) error) error {
	interrupted, err := s.withConn(ctx, fn)
	if interrupted {
		s.pool.Reset() // its idle connections are dead too
		_, err = s.withConn(ctx, fn)
	}
	return s.explain(ctx, op, err)
}

// list returns what scan makes of each row of a named query.
func list[T any](
	ctx context.Context, s *Store, op string, scan func(row) T, name string, args ...any,
) (all []T, err error) {
	err = s.read(ctx, op, func(c *conn) error {
		all, err = collect(ctx, c, scan, name, args...)
		return err
	})
	return all, err
}

// withConn runs fn on a connection of the pool. interrupted reports whether the connection was lost
// meanwhile.
func (s *Store) withConn(ctx context.Context, fn func(c *conn) error) (interrupted bool, err error) {
	if err := s.checkOpen(ctx); err != nil {
		return false, err
	}
	pooled, err := connectWithRetry(ctx, s.pool.Acquire)
	if err != nil {
		return false, err
	}
	defer pooled.Release()
	err = fn(&conn{pooled.Conn()})
	return isConnLost(err) && ctx.Err() == nil, err
}

func (s *Store) checkOpen(ctx context.Context) error {
	if s.closed.Load() {
		return failure.ErrClosed
	}
	return ctx.Err()
}

// snapshot is like read, but all of fn's queries see the same commit.
func (s *Store) snapshot(ctx context.Context, op string, fn func(c *conn) error) error {
	return s.read(ctx, op, func(c *conn) error { return c.snapshot(ctx, func() error { return fn(c) }) })
}

// beginSnapshot begins a transaction whose statements all see the same commit.
const beginSnapshot = "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY"

func (c *conn) snapshot(ctx context.Context, fn func() error) error {
	return c.transaction(ctx, beginSnapshot, fn)
}

// stream is like snapshot, but on its own connection: a read that lasts as long as its caller likes
// must not use up the pool. It does not call fn again once fn has returned true.
func (s *Store) stream(ctx context.Context, op string, fn func(c *conn) (begun bool, err error)) error {
	interrupted, err := s.streamOnce(ctx, fn)
	if interrupted {
		_, err = s.streamOnce(ctx, fn)
	}
	return s.explain(ctx, op, err)
}

// streamOnce is to stream what withConn is to read. A stream that has begun is not repeated.
func (s *Store) streamOnce(
	ctx context.Context, fn func(c *conn) (begun bool, err error),
) (interrupted bool, err error) {
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

// disconnect closes the connection, ignoring errors.
func (c *conn) disconnect() {
	ctx, cancel := context.WithTimeout(context.Background(), cleanupTimeout)
	defer cancel()
	_ = c.Close(ctx)
}

// connectWithRetry calls get until it succeeds, fails for another reason than a lost connection, or
// retryTimeout has passed: a server that answered before may be restarting.
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
