-- The versions of a conversation, where more than one contributes to what the archive shows of it.

-- +goose Up

-- data is written and read by store/ingest alone.
CREATE TABLE versions (
    conversation INTEGER PRIMARY KEY,
    data         BLOB    NOT NULL
);

-- Until now these were versions that gave way to another, and some of their messages may not have been kept. Importing
-- one again adds them.
UPDATE conversations SET superseded = x'' WHERE superseded <> x'';

-- +goose Down
DROP TABLE versions;
