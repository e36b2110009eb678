-- The archive. Both dialects hold the same tables and columns, but for two things that SQLite does its own way, and says.
--
-- Times are UTC microseconds since 1970 (NULL: unknown), hashes are 16 bytes. There are no foreign keys: rows come in bulk from
-- one writer, and leave only when a conversation is forgotten, with everything of it.

-- +goose Up
CREATE EXTENSION IF NOT EXISTS vector;

-- Counters: 'version' changes with every commit that changes what a reader could see, 'turns' with every one that changes a
-- turn, 'next_ord' is the first ordinal that was never handed out.
CREATE TABLE archive (
    key   TEXT   PRIMARY KEY,
    value BIGINT NOT NULL
);

INSERT INTO archive (key, value) VALUES ('version', 1), ('turns', 1), ('next_ord', 1);

CREATE TABLE conversations (
    id          UUID   PRIMARY KEY,
    source_id   TEXT   NOT NULL,
    source      TEXT   NOT NULL,
    title       TEXT   NOT NULL,
    create_time BIGINT,
    update_time BIGINT,
    model_slug  TEXT   NOT NULL,
    hash        BYTEA  NOT NULL,
    superseded  BYTEA  NOT NULL -- hashes, one behind the other
);

-- Every role and every branch.
CREATE TABLE messages (
    id              UUID    PRIMARY KEY,
    conversation_id UUID    NOT NULL,
    turn_id         UUID,
    seq             INTEGER NOT NULL,
    parent_id       UUID,
    role            TEXT    NOT NULL,
    visible         BOOLEAN NOT NULL,
    on_active_path  BOOLEAN NOT NULL,
    create_time     BIGINT,
    hash            BYTEA   NOT NULL,
    source_id       TEXT    NOT NULL,
    content_type    TEXT    NOT NULL,
    model_slug      TEXT    NOT NULL,
    turn_summary    TEXT    NOT NULL,
    text            TEXT    NOT NULL,
    raw             BYTEA   NOT NULL
);

-- By conversation and by turn at once.
CREATE INDEX messages_by_turn ON messages (conversation_id, turn_id, seq);

-- Narrow, because all of it is read when an archive is opened. The texts are those of the turn's messages.
CREATE TABLE turns (
    ord                  BIGINT   PRIMARY KEY,
    id                   UUID     NOT NULL UNIQUE,
    conversation_id      UUID     NOT NULL,
    user_message_id      UUID     NOT NULL,
    assistant_message_id UUID,
    position             INTEGER  NOT NULL,
    on_active_path       BOOLEAN  NOT NULL,
    embeddable           BOOLEAN  NOT NULL,
    length               INTEGER  NOT NULL,
    create_time          BIGINT,
    time_source          SMALLINT NOT NULL,
    model_slug           TEXT     NOT NULL,
    hash                 BYTEA    NOT NULL,
    created_at           BIGINT   NOT NULL
);

CREATE INDEX turns_by_conversation ON turns (conversation_id, position);
CREATE INDEX turns_by_time ON turns (create_time, id);

-- Ways of making vectors. 'changed' counts the commits that took vectors away or moved them to another ordinal: as long as it
-- stands still, vectors were only added, with ever greater seq.
CREATE TABLE generations (
    id         BIGINT  GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    provider   TEXT    NOT NULL,
    model      TEXT    NOT NULL,
    dim        INTEGER NOT NULL,
    recipe     INTEGER NOT NULL,
    active     BOOLEAN NOT NULL,
    changed    BIGINT  NOT NULL,
    created_at BIGINT  NOT NULL,
    UNIQUE (provider, model, dim, recipe)
);

CREATE UNIQUE INDEX generations_active ON generations (active) WHERE active;

-- id is the turn's. model is the generation's full name, 'model/dim/recipe', so that the next generation of one model can be
-- built beside the active one under the same key. The embedded text itself is not kept: it can be made again from the
-- messages, and content_hash proves it.
CREATE TABLE message_embeddings (
    seq                  BIGINT   GENERATED ALWAYS AS IDENTITY,
    id                   UUID     NOT NULL,
    generation_id        BIGINT   NOT NULL,
    provider             TEXT     NOT NULL,
    model                TEXT     NOT NULL,
    user_message_id      UUID     NOT NULL,
    assistant_message_id UUID,
    dim                  INTEGER  NOT NULL,
    content_hash         BYTEA    NOT NULL,
    used_turn_summary    BOOLEAN  NOT NULL,
    created_at           BIGINT   NOT NULL,
    vector               halfvec  NOT NULL,
    PRIMARY KEY (id, generation_id),
    UNIQUE (user_message_id, provider, model)
);

-- Inline, as 6 kB of halves that are always read whole gain nothing from TOAST.
ALTER TABLE message_embeddings ALTER COLUMN vector SET STORAGE PLAIN;

-- The keyword index: immutable segments made of blocks of sorted terms. first_term is compared byte by byte.
CREATE TABLE term_segments (
    id    BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    docs  BIGINT NOT NULL,
    bytes BIGINT NOT NULL
);

CREATE TABLE term_blocks (
    segment    BIGINT NOT NULL,
    first_term TEXT   COLLATE "C" NOT NULL,
    data       BYTEA  NOT NULL,
    PRIMARY KEY (segment, first_term)
);

-- receipt is JSON as it was written, to the byte.
CREATE TABLE ingest_runs (
    id          UUID   PRIMARY KEY,
    started_at  BIGINT NOT NULL,
    finished_at BIGINT,
    receipt     TEXT   NOT NULL
);

-- +goose Down
-- The extension stays: others may use it.
DROP TABLE ingest_runs;
DROP TABLE term_blocks;
DROP TABLE term_segments;
DROP TABLE message_embeddings;
DROP TABLE generations;
DROP TABLE turns;
DROP TABLE messages;
DROP TABLE conversations;
DROP TABLE archive;
