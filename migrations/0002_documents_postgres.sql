-- Documents and their chunks. A chunk is a turn, so that whatever is done with turns is done with it; what only it has lies here.

-- +goose Up

-- What is known of the file that a conversation was made of. path is compared byte by byte.
CREATE TABLE documents (
    conversation_id UUID    PRIMARY KEY,
    path            TEXT    COLLATE "C" NOT NULL,
    filename        TEXT    NOT NULL,
    client_tag      TEXT    NOT NULL,
    modified_time   BIGINT,
    mime            TEXT    NOT NULL,
    content_hash    BYTEA   NOT NULL,
    gone            BOOLEAN NOT NULL
);

CREATE INDEX documents_by_path ON documents (path);

-- meta is JSON as it was written, to the byte; '' where there is none.
CREATE TABLE chunks (
    conversation_id UUID    NOT NULL,
    turn_id         UUID    PRIMARY KEY,
    seq             INTEGER NOT NULL,
    first_page      INTEGER NOT NULL,
    last_page       INTEGER NOT NULL,
    source_id       TEXT    NOT NULL,
    meta            TEXT    NOT NULL
);

CREATE INDEX chunks_by_conversation ON chunks (conversation_id);

-- +goose Down
DROP TABLE chunks;
DROP TABLE documents;
