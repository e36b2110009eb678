-- Documents and their chunks. A chunk is a turn, so that whatever is done with turns is done with it; what only it has lies here.

-- +goose Up

-- What is known of the file that a conversation was made of.
CREATE TABLE documents (
    conversation  INTEGER PRIMARY KEY,
    path          TEXT    NOT NULL,
    filename      TEXT    NOT NULL,
    client_tag    TEXT    NOT NULL,
    modified_time BIGINT,
    mime          TEXT    NOT NULL,
    content_hash  BLOB    NOT NULL,
    gone          BOOLEAN NOT NULL
);

CREATE INDEX documents_by_path ON documents (path);

-- meta is JSON as it was written, '' where there is none. By conversation first: see turns_by_conversation.
CREATE TABLE chunks (
    conversation INTEGER NOT NULL,
    turn_id      BLOB    NOT NULL,
    seq          INTEGER NOT NULL,
    first_page   INTEGER NOT NULL,
    last_page    INTEGER NOT NULL,
    source_id    TEXT    NOT NULL,
    meta         TEXT    NOT NULL,
    PRIMARY KEY (conversation, turn_id)
) WITHOUT ROWID;

-- What the catalog reads of conversations, from the index alone.
CREATE INDEX conversations_by_source ON conversations (source);

-- +goose Down
DROP INDEX conversations_by_source;
DROP TABLE chunks;
DROP TABLE documents;
