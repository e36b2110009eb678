-- One writer an archive, and an archive a schema. The first key spells "lens".
-- name: Lock
SELECT pg_advisory_lock(x'6c656e73'::int, hashtext(current_schema()));

-- Who holds it, and whether that is this connection.
-- name: LockHolder
SELECT a.pid, a.application_name, coalesce(host(a.client_addr), ''), a.pid = pg_backend_pid()
FROM pg_locks l JOIN pg_stat_activity a ON a.pid = l.pid
WHERE l.locktype = 'advisory' AND l.granted AND l.database = (SELECT oid FROM pg_database WHERE datname = current_database())
  AND l.classid = x'6c656e73'::int::oid AND l.objid::bigint = hashtext(current_schema())::bigint & x'ffffffff'::bigint AND l.objsubid = 2;

-- What the writer's connection asks of the server: how long to wait for the lock, and texts compressed by the faster method where
-- the server was built with it.
-- name: PrepareWriting
SELECT set_config('lock_timeout', $1, false),
       (SELECT set_config(name, 'lz4', false) FROM pg_settings WHERE name = 'default_toast_compression' AND 'lz4' = ANY (enumvals));
