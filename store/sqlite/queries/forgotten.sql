-- Returns the key of the hashes of what was forgotten.
-- name: ForgottenKey
SELECT key FROM forgotten_key;

-- name: Forgotten
SELECT hash FROM forgotten;

-- name: DropForgottenKey
DELETE FROM forgotten_key;

-- name: DropForgotten
DELETE FROM forgotten;

-- name: PutForgottenKey
INSERT INTO forgotten_key (key) VALUES (?);

-- name: PutForgotten
INSERT INTO forgotten (hash) VALUES (?);
