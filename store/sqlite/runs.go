package sqlite

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
	return store.ImportRun{ID: r.id(0), Started: r.time(1), Finished: r.time(2), Receipt: []byte(r.ColumnText(3))}
}

// PutImportRun implements store.Tx.
func (t *tx) PutImportRun(_ context.Context, run store.ImportRun) error {
	return t.run("PutImportRun", run.ID, run.Started, run.Finished, string(run.Receipt))
}
