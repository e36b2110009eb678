package sqlite

import (
	"context"

	"lens/store"
)

// ImportRuns implements store.Reader.
func (s *Store) ImportRuns(ctx context.Context, limit int) (runs []store.ImportRun, err error) {
	err = s.read(ctx, "runs", func(c *conn) error {
		return c.each("ImportRuns", []any{limit}, func(r row) error {
			runs = append(runs, store.ImportRun{
				ID: r.id(0), Started: r.time(1), Finished: r.time(2), Receipt: []byte(r.ColumnText(3)),
			})
			return nil
		})
	})
	return runs, err
}

// PutImportRun implements store.Tx.
func (t *tx) PutImportRun(_ context.Context, run store.ImportRun) error {
	return t.run("PutImportRun", run.ID, run.Started, run.Finished, string(run.Receipt))
}
