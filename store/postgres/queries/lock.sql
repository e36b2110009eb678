-- Acquires the writer lock: one per archive, and one archive per schema. The first key spells "lens".
-- name: Lock
SELECT pg_advisory_lock(x'6c656e73'::int, hashtext(current_schema()));

-- Returns the holder of the lock, and whether it is this connection.
-- name: LockHolder
SELECT a.pid, a.application_name, coalesce(host(a.client_addr), ''), a.pid = pg_backend_pid()
FROM pg_locks l JOIN pg_stat_activity a ON a.pid = l.pid
WHERE l.locktype = 'advisory' AND l.granted AND l.database = (SELECT oid FROM pg_database WHERE datname = current_database())
  AND l.classid = x'6c656e73'::int::oid AND l.objid::bigint = hashtext(current_schema())::bigint & x'ffffffff'::bigint AND l.objsubid = 2;

-- Sets up the writer's connection: the timeout of the lock, and the faster compression of texts if the
-- server has it.
-- name: PrepareWriting
SELECT set_config('lock_timeout', $1, false),
       (SELECT set_config(name, 'lz4', false) FROM pg_settings WHERE name = 'default_toast_compression' AND 'lz4' = ANY (enumvals));
