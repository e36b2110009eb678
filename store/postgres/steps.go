package postgres

import (
	"context"

	"github.com/jackc/pgx/v5"
)

// step is one statement of a sequence.
type step struct {
	sql  string
	args []any
	scan func(row) error // nil: ignore its rows
}

// read passes the rows of the step's result to scan.
func (s step) read(rows pgx.Rows, err error) error {
	if err != nil {
		return err
	}
	defer rows.Close()
	for rows.Next() {
		if s.scan == nil {
			continue
		}
		if err := s.scan(row(rows.RawValues())); err != nil {
			return err
		}
	}
	return rows.Err()
}

// runSequentially runs steps one after the other, in c's present transaction.
func (c *conn) runSequentially(ctx context.Context, steps []step) error {
	for _, s := range steps {
		if err := s.read(c.Query(ctx, s.sql, bind(s.args)...)); err != nil {
			return err
		}
	}
	return nil
}

// runBatch sends all steps at once and then reads their results: one round trip. The steps form one
// transaction, also if they begin and end it themselves; a failing step ends it.
func (c *conn) runBatch(ctx context.Context, steps []step) (err error) {
	var batch pgx.Batch
	for _, s := range steps {
		batch.Queue(s.sql, bind(s.args)...)
	}
	results := c.SendBatch(ctx, &batch)
	defer func() {
		if closed := results.Close(); err == nil {
			err = closed
		}
		if err != nil && c.PgConn().TxStatus() != 'I' {
			c.rollBack(ctx)
		}
	}()
	for _, s := range steps {
		if err := s.read(results.Query()); err != nil {
			return err
		}
	}
	return nil
}
