package postgres

import (
	"context"
	"embed"
	"fmt"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgtype"

	"lens/store"
	"lens/store/namedsql"
)

//go:embed queries/*.sql
var queryFiles embed.FS

var queries = namedsql.Load(queryFiles, "queries/*.sql")

// cleanupTimeout limits the time for cleaning up a connection after the context has ended.
const cleanupTimeout = 5 * time.Second

// conn is one connection. It is used by one goroutine at a time.
type conn struct{ *pgx.Conn }

// run executes a named query that returns no rows. It returns the number of changed rows.
func (c *conn) run(ctx context.Context, name string, args ...any) (int64, error) {
	tag, err := c.Exec(ctx, queries.Get(name), bind(args)...)
	if err != nil {
		return 0, fmt.Errorf("%s: %w", name, err)
	}
	return tag.RowsAffected(), nil
}

// each runs a named query and calls scan for every row of its result. The row is valid until scan
// returns.
func (c *conn) each(ctx context.Context, name string, args []any, scan func(row) error) error {
	rows, err := c.Query(ctx, queries.Get(name), bind(args)...)
	if err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	defer rows.Close()
	for rows.Next() {
		if err := scan(row(rows.RawValues())); err != nil {
			return err
		}
	}
	if err := rows.Err(); err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	return nil
}

// collect returns what scan makes of each row of a named query.
func collect[T any](ctx context.Context, c *conn, scan func(row) T, name string, args ...any) (all []T, err error) {
	err = c.each(ctx, name, args, func(r row) error {
		all = append(all, scan(r))
		return nil
	})
	return all, err
}

// number runs a named query that returns one number; 0 if it returns no row.
func (c *conn) number(ctx context.Context, name string, args ...any) (n int64, err error) {
	err = c.each(ctx, name, args, func(r row) error {
		n = r.number(0)
		return nil
	})
	return n, err
}

// transaction runs fn between begin and COMMIT. It rolls back if fn fails or panics.
func (c *conn) transaction(ctx context.Context, begin string, fn func() error) error {
	if _, err := c.Exec(ctx, begin); err != nil {
		return err
	}
	committed := false
	defer func() {
		if !committed {
			c.rollBack(ctx)
		}
	}()
	if err := fn(); err != nil {
		return err
	}
	if _, err := c.Exec(ctx, "COMMIT"); err != nil {
		return err
	}
	committed = true
	return nil
}

// rollBack only fails if the connection does, and then the server rolls back by itself.
func (c *conn) rollBack(ctx context.Context) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), cleanupTimeout)
	defer cancel()
	_, _ = c.Exec(ctx, "ROLLBACK")
}

// bind converts parameters. It turns a zero id or time into NULL.
func bind(args []any) []any {
	bound := make([]any, len(args))
	for i, arg := range args {
		bound[i] = bindOne(arg)
	}
	return bound
}

func bindOne(arg any) any {
	switch v := arg.(type) {
	case uuid.UUID:
		if v == uuid.Nil {
			return nil
		}
		return [16]byte(v)
	case []uuid.UUID:
		return uuids(v)
	case store.Hash:
		return v[:]
	case []store.Source:
		return sources(v)
	case time.Time:
		if v.IsZero() {
			return nil
		}
		return store.Micros(v)
	case store.Ord:
		return int64(v)
	case store.GenerationID:
		return int64(v)
	}
	return arg
}

// sources returns the names of all; NULL for none.
func sources(all []store.Source) any {
	if len(all) == 0 {
		return nil
	}
	names := make([]string, len(all))
	for i, source := range all {
		names[i] = string(source)
	}
	return names
}

// uuids returns ids in a form that pgx encodes without reflection, twenty times as fast.
func uuids(ids []uuid.UUID) pgtype.FlatArray[pgtype.UUID] {
	array := make(pgtype.FlatArray[pgtype.UUID], len(ids))
	for i, id := range ids {
		array[i] = pgtype.UUID{Bytes: id, Valid: true}
	}
	return array
}
