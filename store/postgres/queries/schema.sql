-- Which of the archive's tables are in the schema that this connection uses.
-- name: OurTables
SELECT count(*) FROM pg_tables
WHERE schemaname = current_schema() AND tablename IN ('archive', 'conversations', 'messages', 'turns', 'message_embeddings');

-- Whether migrations have made them.
-- name: IsMigrated
SELECT count(*) FROM pg_tables WHERE schemaname = current_schema() AND tablename = 'lens_migrations';

-- The last migration. Taking one back deletes its row.
-- name: SchemaVersion
SELECT max(version_id) FROM lens_migrations WHERE is_applied;

-- pgvector: what could be installed and what is, both '' where it is not.
-- name: Pgvector
SELECT coalesce(max(default_version), ''), coalesce(max(installed_version), ''), current_setting('server_version_num')::int / 10000
FROM pg_available_extensions WHERE name = 'vector';
