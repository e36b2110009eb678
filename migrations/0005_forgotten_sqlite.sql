-- What was forgotten, so that another import leaves it out.

-- +goose Up

-- Hashes of the forgotten ids, under a random key that only this archive has: no id is kept.
CREATE TABLE forgotten (
    hash BLOB NOT NULL PRIMARY KEY
) WITHOUT ROWID;

-- At most one row.
CREATE TABLE forgotten_key (
    key BLOB NOT NULL
);

-- +goose Down
DROP TABLE forgotten_key;
DROP TABLE forgotten;
