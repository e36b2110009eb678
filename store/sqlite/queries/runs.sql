-- name: PutImportRun
INSERT INTO ingest_runs (id, started_at, finished_at, receipt) VALUES (?, ?, ?, ?)
ON CONFLICT (id) DO UPDATE SET started_at = excluded.started_at, finished_at = excluded.finished_at, receipt = excluded.receipt;

-- Returns the runs, newest first.
-- name: ImportRuns
SELECT id, started_at, finished_at, receipt FROM ingest_runs ORDER BY started_at DESC, id DESC LIMIT ?;
