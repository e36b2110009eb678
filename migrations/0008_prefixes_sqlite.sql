-- What is put before the texts that a model embeds is part of a generation's recipe.

-- +goose Up

-- SQLite cannot change a unique key in place.
ALTER TABLE generations RENAME TO generations_before;

CREATE TABLE generations (
    id              INTEGER PRIMARY KEY,
    provider        TEXT    NOT NULL,
    model           TEXT    NOT NULL,
    dim             INTEGER NOT NULL,
    recipe          INTEGER NOT NULL,
    active          BOOLEAN NOT NULL,
    changed         BIGINT  NOT NULL,
    created_at      BIGINT  NOT NULL,
    query_prefix    TEXT    NOT NULL DEFAULT '',
    document_prefix TEXT    NOT NULL DEFAULT '',
    UNIQUE (provider, model, dim, recipe, query_prefix, document_prefix)
);

INSERT INTO generations (id, provider, model, dim, recipe, active, changed, created_at)
SELECT id, provider, model, dim, recipe, active, changed, created_at FROM generations_before;

DROP TABLE generations_before;
CREATE UNIQUE INDEX generations_active ON generations (active) WHERE active;

-- +goose Down

-- An older Lens would take vectors with prefixes for those without.
DELETE FROM message_embeddings
WHERE generation_id IN (SELECT id FROM generations WHERE query_prefix <> '' OR document_prefix <> '');

DELETE FROM embedded_texts WHERE content_hash NOT IN (SELECT content_hash FROM message_embeddings);

ALTER TABLE generations RENAME TO generations_before;

CREATE TABLE generations (
    id              INTEGER PRIMARY KEY,
    provider        TEXT    NOT NULL,
    model           TEXT    NOT NULL,
    dim             INTEGER NOT NULL,
    recipe          INTEGER NOT NULL,
    active          BOOLEAN NOT NULL,
    changed         BIGINT  NOT NULL,
    created_at      BIGINT  NOT NULL,
    UNIQUE (provider, model, dim, recipe)
);

INSERT INTO generations (id, provider, model, dim, recipe, active, changed, created_at)
SELECT id, provider, model, dim, recipe, active, changed, created_at FROM generations_before
WHERE query_prefix = '' AND document_prefix = '';

DROP TABLE generations_before;
CREATE UNIQUE INDEX generations_active ON generations (active) WHERE active;
