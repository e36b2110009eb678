-- Counts the tables: a new file has none.
-- name: CountTables
SELECT count(*) FROM sqlite_schema WHERE type = 'table';

-- Reports whether migrations created the file.
-- name: IsMigrated
SELECT count(*) FROM sqlite_schema WHERE type = 'table' AND name = 'goose_db_version';

-- Returns the last migration. Reverting one deletes its row.
-- name: SchemaVersion
SELECT max(version_id) FROM goose_db_version WHERE is_applied;
