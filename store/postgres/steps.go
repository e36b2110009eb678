package postgres

import (
	"context"

	"github.com/jackc/pgx/v5"
)

// step is one statement of several that are run together.
type step struct {
	sql  string
	args []any
	scan func(row) error // nil: nothing is expected of it
}

// read passes the rows of the step's result on.
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

// inTurn runs steps one after the other, in the transaction that c is in.
func (c *conn) runSequentially(ctx context.Context, steps []step) error {
	for _, s := range steps {
		if err := s.read(c.Query(ctx, s.sql, bind(s.args)...)); err != nil {
			return err
		}
	}
	return nil
}

// together sends steps all at once and then reads what they yield: one round trip. They make one transaction, also where they begin
// and end it themselves; one that fails ends it.
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
