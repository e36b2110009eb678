package sqlite

import (
	"context"

	"lens/store"
)

// Runs implements store.Reader.
func (s *Store) Runs(ctx context.Context, limit int) (runs []store.Run, err error) {
	err = s.read(ctx, "runs", func(c *conn) error {
		return c.each("Runs", []any{limit}, func(r row) error {
			runs = append(runs, store.Run{
				ID: r.id(0), Started: r.time(1), Finished: r.time(2), Receipt: []byte(r.ColumnText(3)),
			})
			return nil
		})
	})
	return runs, err
}

// PutRun implements store.Tx.
func (t *tx) PutRun(_ context.Context, run store.Run) error {
	return t.run("PutRun", run.ID, run.Started, run.Finished, string(run.Receipt))
}
