-- How many tables there are: none in a new file.
-- name: CountTables
SELECT count(*) FROM sqlite_schema WHERE type = 'table';

-- Whether the file was made by migrations.
-- name: IsMigrated
SELECT count(*) FROM sqlite_schema WHERE type = 'table' AND name = 'goose_db_version';

-- The last migration. Taking one back deletes its row.
-- name: SchemaVersion
SELECT max(version_id) FROM goose_db_version WHERE is_applied;
