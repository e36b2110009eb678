package postgres

import (
	"context"

	"lens/store"
)

// ImportRuns implements store.Reader.
func (s *Store) ImportRuns(ctx context.Context, limit int) ([]store.ImportRun, error) {
	return list(ctx, s, "runs", row.importRun, "ImportRuns", limit)
}

// importRun reads the columns of ImportRuns.
func (r row) importRun() store.ImportRun {
	return store.ImportRun{ID: r.id(0), Started: r.time(1), Finished: r.time(2), Receipt: r.bytes(3)}
}

// PutImportRun implements store.Tx.
func (t *tx) PutImportRun(ctx context.Context, run store.ImportRun) error {
	_, err := t.run(ctx, "PutImportRun", run.ID, run.Started, run.Finished, string(run.Receipt))
	return err
}
