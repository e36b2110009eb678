-- Counts the archive's tables in the schema of this connection.
-- name: OurTables
SELECT count(*) FROM pg_tables
WHERE schemaname = current_schema() AND tablename IN ('archive', 'conversations', 'messages', 'turns', 'message_embeddings');

-- Reports whether migrations created them.
-- name: IsMigrated
SELECT count(*) FROM pg_tables WHERE schemaname = current_schema() AND tablename = 'lens_migrations';

-- Returns the last migration. Reverting one deletes its row.
-- name: SchemaVersion
SELECT max(version_id) FROM lens_migrations WHERE is_applied;

-- Returns the available and the installed version of pgvector, '' for none.
-- name: Pgvector
SELECT coalesce(max(default_version), ''), coalesce(max(installed_version), ''), current_setting('server_version_num')::int / 10000
FROM pg_available_extensions WHERE name = 'vector';
