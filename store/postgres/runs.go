package postgres

import (
	"context"

	"lens/store"
)

// Runs implements store.Reader.
func (s *Store) Runs(ctx context.Context, limit int) (runs []store.Run, err error) {
	err = s.read(ctx, "runs", func(c *conn) error {
		runs = nil
		return c.each(ctx, "Runs", []any{limit}, func(r row) error {
			runs = append(runs, store.Run{ID: r.id(0), Started: r.time(1), Finished: r.time(2), Receipt: r.bytes(3)})
			return nil
		})
	})
	return runs, err
}

// PutRun implements store.Tx.
func (t *tx) PutRun(ctx context.Context, run store.Run) error {
	_, err := t.run(ctx, "PutRun", run.ID, run.Started, run.Finished, string(run.Receipt))
	return err
}
