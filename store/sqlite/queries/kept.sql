-- Returns what is kept under a name, and what it was made of.
-- name: Kept
SELECT data, made_of FROM kept WHERE name = ?;

-- name: PutKept
INSERT INTO kept (name, made_of, data) VALUES (?, ?, ?)
ON CONFLICT (name) DO UPDATE SET made_of = excluded.made_of, data = excluded.data;

-- name: DropKept
DELETE FROM kept;
