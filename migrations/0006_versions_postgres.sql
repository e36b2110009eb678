-- The versions of a conversation, where more than one contributes to what the archive shows of it.

-- +goose Up

-- data is written and read by store/ingest alone.
CREATE TABLE versions (
    conversation_id UUID  PRIMARY KEY,
    data            BYTEA NOT NULL
);

-- Until now these were versions that gave way to another, and some of their messages may not have been kept. Importing
-- one again adds them.
UPDATE conversations SET superseded = '' WHERE superseded <> '';

-- +goose Down
DROP TABLE versions;
