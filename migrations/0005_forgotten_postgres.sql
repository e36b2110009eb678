-- What was forgotten, so that another import leaves it out.

-- +goose Up

-- Hashes of the forgotten ids, under a random key that only this archive has: no id is kept.
CREATE TABLE forgotten (
    hash BYTEA NOT NULL PRIMARY KEY
);

-- At most one row.
CREATE TABLE forgotten_key (
    key BYTEA NOT NULL
);

-- +goose Down
DROP TABLE forgotten_key;
DROP TABLE forgotten;
