-- The exact texts that were embedded, for audit. A text is stored once, however many turns and generations it made vectors of.

-- +goose Up

-- content_hash is that of content_used; message_embeddings refers to it. content_used is packed like the body of a message; NULL: an
-- older Lens embedded it, and no text with this hash can be found. A hash without a row: nothing has looked for it yet.
CREATE TABLE embedded_texts (
    content_hash BLOB NOT NULL UNIQUE,
    content_used BLOB
);

-- Which vectors a text belongs to, from the index alone: the rows are wide.
CREATE INDEX message_embeddings_by_content ON message_embeddings (content_hash, id, generation_id);

CREATE INDEX message_embeddings_by_assistant ON message_embeddings (assistant_message_id);

-- +goose Down
DROP INDEX message_embeddings_by_assistant;
DROP INDEX message_embeddings_by_content;
DROP TABLE embedded_texts;
