package sqlite

import (
	"context"
	"net/url"
	"os"
	"path/filepath"
)

// openReader opens a connection for reading.
func (s *Store) openReader(ctx context.Context) (*conn, error) {
	return openConn(ctx, s.readablePath(), readerPragmas, true)
}

// readablePath returns the location of the file for a connection that only reads. In a directory where
// nothing can be written, SQLite opens a database without a log only as immutable.
func (s *Store) readablePath() string {
	if s.image != "" {
		return "file:" + s.image + "?vfs=reader"
	}
	if !s.readOnly || writable(s.dir) {
		return s.location()
	}
	if log, err := os.Stat(s.path() + "-wal"); err == nil && log.Size() > 0 {
		return s.location()
	}
	return s.location("immutable", "1")
}

// location returns the name of the archive's file for SQLite, a URI if the path alone is not enough.
// params are keys and values.
func (s *Store) location(params ...string) string {
	query := url.Values{}
	for i := 0; i < len(params); i += 2 {
		query.Set(params[i], params[i+1])
	}
	if s.encryption != nil {
		query.Set("vfs", s.encryption.vfs)
		query.Set("textkey", "archive") // a placeholder: cipher has the key
	}
	if len(query) == 0 {
		return s.path()
	}
	return (&url.URL{Scheme: "file", OmitHost: true, Path: filepath.ToSlash(s.path()), RawQuery: query.Encode()}).String()
}

// read runs fn in a read transaction, so that all its queries see the same commit. op names the
// operation in errors.
func (s *Store) read(ctx context.Context, op string, fn func(c *conn) error) error {
	if err := ctx.Err(); err != nil {
		return s.explain(ctx, op, err)
	}
	c, err := s.readers.get(ctx)
	if err != nil {
		return s.explain(ctx, op, err)
	}
	defer s.readers.put(c)
	return s.explain(ctx, op, c.inTransaction(ctx, "Begin", fn))
}

// list returns what scan makes of each row of a named query, in a read transaction.
func list[T any](
	ctx context.Context, s *Store, op string, scan func(row) T, name string, args ...any,
) (all []T, err error) {
	err = s.read(ctx, op, func(c *conn) error {
		all, err = collect(c, scan, name, args...)
		return err
	})
	return all, err
}

// inTransaction runs fn between a named query, which begins a transaction, and Commit. It rolls back if fn fails or
// panics. ctx also interrupts a running query.
func (c *conn) inTransaction(ctx context.Context, begin string, fn func(c *conn) error) error {
	c.SetInterrupt(ctx)
	defer c.SetInterrupt(context.Background())
	if err := c.run(begin); err != nil {
		return err
	}
	committed := false
	defer func() {
		if !committed {
			c.SetInterrupt(context.Background())
			_ = c.Exec("ROLLBACK") // report the first error
		}
	}()
	if err := fn(c); err != nil {
		return err
	}
	if err := c.run("Commit"); err != nil {
		return err
	}
	committed = true
	return nil
}
