-- The archive. Both dialects hold the same tables and columns, but for two things. SQLite, which compresses nothing, keeps a message's
-- text and raw packed in one column, body. And where Postgres says conversation_id, SQLite says conversation: the number that it gave
-- to the conversation. Numbers ascend, so that an index that begins with one grows at its end: one that begins with a random id
-- would be written anew with every commit, all of it.
--
-- Ids are UUIDs as 16 bytes, times are UTC microseconds since 1970 (NULL: unknown), hashes are 16 bytes. There are no foreign
-- keys: rows come in bulk from one writer, and leave only when a conversation is forgotten, with everything of it.

-- +goose Up

-- Counters: 'version' changes with every commit that changes what a reader could see, 'turns' with every one that changes a
-- turn, 'next_ord' is the first ordinal that was never handed out.
CREATE TABLE archive (
    key   TEXT   PRIMARY KEY,
    value BIGINT NOT NULL
) WITHOUT ROWID;

INSERT INTO archive (key, value) VALUES ('version', 1), ('turns', 1), ('next_ord', 1);

CREATE TABLE conversations (
    number      INTEGER PRIMARY KEY,
    id          BLOB   NOT NULL UNIQUE,
    source_id   TEXT   NOT NULL,
    source      TEXT   NOT NULL,
    title       TEXT   NOT NULL,
    create_time BIGINT,
    update_time BIGINT,
    model_slug  TEXT   NOT NULL,
    hash        BLOB   NOT NULL,
    superseded  BLOB   NOT NULL -- hashes, one behind the other
);

-- Every role and every branch. body comes last: reading the other columns must not walk over it.
CREATE TABLE messages (
    id              BLOB    NOT NULL UNIQUE,
    conversation    INTEGER NOT NULL,
    turn_id         BLOB,
    seq             INTEGER NOT NULL,
    parent_id       BLOB,
    role            TEXT    NOT NULL,
    visible         BOOLEAN NOT NULL,
    on_active_path  BOOLEAN NOT NULL,
    create_time     BIGINT,
    hash            BLOB    NOT NULL,
    source_id       TEXT    NOT NULL,
    content_type    TEXT    NOT NULL,
    model_slug      TEXT    NOT NULL,
    turn_summary    TEXT    NOT NULL,
    body            BLOB    NOT NULL
);

-- By conversation and by turn at once.
CREATE INDEX messages_by_turn ON messages (conversation, turn_id, seq);

-- Narrow, because all of it is read when an archive is opened. The texts are those of the turn's messages.
CREATE TABLE turns (
    ord                  INTEGER PRIMARY KEY,
    id                   BLOB    NOT NULL UNIQUE,
    conversation         INTEGER NOT NULL,
    user_message_id      BLOB    NOT NULL,
    assistant_message_id BLOB,
    position             INTEGER NOT NULL,
    on_active_path       BOOLEAN NOT NULL,
    embeddable           BOOLEAN NOT NULL,
    length               INTEGER NOT NULL,
    create_time          BIGINT,
    time_source          INTEGER NOT NULL,
    model_slug           TEXT    NOT NULL,
    hash                 BLOB    NOT NULL,
    created_at           BIGINT  NOT NULL
);

CREATE INDEX turns_by_conversation ON turns (conversation, position);

-- Ways of making vectors. 'changed' counts the commits that took vectors away or moved them to another ordinal: as long as it
-- stands still, vectors were only added, with ever greater seq.
CREATE TABLE generations (
    id         INTEGER PRIMARY KEY,
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
    seq                  INTEGER PRIMARY KEY AUTOINCREMENT,
    id                   BLOB    NOT NULL,
    generation_id        INTEGER NOT NULL,
    provider             TEXT    NOT NULL,
    model                TEXT    NOT NULL,
    user_message_id      BLOB    NOT NULL,
    assistant_message_id BLOB,
    dim                  INTEGER NOT NULL,
    content_hash         BLOB    NOT NULL,
    used_turn_summary    BOOLEAN NOT NULL,
    created_at           BIGINT  NOT NULL,
    vector               BLOB    NOT NULL, -- halves, little endian
    UNIQUE (id, generation_id),
    UNIQUE (user_message_id, provider, model)
);

-- The keyword index: immutable segments made of blocks of sorted terms. first_term is compared byte by byte.
CREATE TABLE term_segments (
    id    INTEGER PRIMARY KEY,
    docs  BIGINT  NOT NULL,
    bytes BIGINT  NOT NULL
);

CREATE TABLE term_blocks (
    segment    INTEGER NOT NULL,
    first_term TEXT    NOT NULL,
    data       BLOB    NOT NULL,
    PRIMARY KEY (segment, first_term)
);

CREATE TABLE ingest_runs (
    id          BLOB   NOT NULL UNIQUE,
    started_at  BIGINT NOT NULL,
    finished_at BIGINT,
    receipt     TEXT   NOT NULL
);

-- +goose Down
DROP TABLE ingest_runs;
DROP TABLE term_blocks;
DROP TABLE term_segments;
DROP TABLE message_embeddings;
DROP TABLE generations;
DROP TABLE turns;
DROP TABLE messages;
DROP TABLE conversations;
DROP TABLE archive;
