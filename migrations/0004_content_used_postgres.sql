-- The exact texts that were embedded, for audit. A text is stored once, however many turns and generations it made vectors of.

-- +goose Up

-- content_hash is that of content_used; message_embeddings refers to it. content_used is NULL where an older Lens embedded it and no
-- text with this hash can be found. A hash without a row: nothing has looked for it yet.
CREATE TABLE embedded_texts (
    content_hash BYTEA NOT NULL PRIMARY KEY,
    content_used TEXT
);

-- Which vectors a text belongs to, from the index alone: the rows are wide.
CREATE INDEX message_embeddings_by_content ON message_embeddings (content_hash, id, generation_id);

CREATE INDEX message_embeddings_by_assistant ON message_embeddings (assistant_message_id);

-- Vectors that would break the foreign keys: no search ever returned them. Vector indexes may hold some, so they become stale.
DELETE FROM message_embeddings e
WHERE NOT EXISTS (SELECT FROM turns t WHERE t.id = e.id)
   OR NOT EXISTS (SELECT FROM generations g WHERE g.id = e.generation_id)
   OR NOT EXISTS (SELECT FROM messages m WHERE m.id = e.user_message_id)
   OR e.assistant_message_id IS NOT NULL AND NOT EXISTS (SELECT FROM messages m WHERE m.id = e.assistant_message_id);

UPDATE generations SET changed = changed + 1;

-- Turns and messages are replaced by deleting and copying them in one transaction.
ALTER TABLE message_embeddings
    ADD CONSTRAINT message_embeddings_turn FOREIGN KEY (id) REFERENCES turns (id) DEFERRABLE INITIALLY DEFERRED,
    ADD CONSTRAINT message_embeddings_user FOREIGN KEY (user_message_id) REFERENCES messages (id) DEFERRABLE INITIALLY DEFERRED,
    ADD CONSTRAINT message_embeddings_assistant FOREIGN KEY (assistant_message_id) REFERENCES messages (id)
        DEFERRABLE INITIALLY DEFERRED,
    ADD CONSTRAINT message_embeddings_generation FOREIGN KEY (generation_id) REFERENCES generations (id) DEFERRABLE INITIALLY DEFERRED;

-- For people: each vector with its text.
CREATE VIEW message_embeddings_audit AS
SELECT e.id, e.generation_id, e.provider, e.model, e.user_message_id, e.assistant_message_id, e.dim, t.content_used, e.content_hash,
       e.used_turn_summary, e.created_at, e.vector
FROM message_embeddings e LEFT JOIN embedded_texts t ON t.content_hash = e.content_hash;

-- +goose Down
DROP VIEW message_embeddings_audit;
ALTER TABLE message_embeddings
    DROP CONSTRAINT message_embeddings_generation,
    DROP CONSTRAINT message_embeddings_assistant,
    DROP CONSTRAINT message_embeddings_user,
    DROP CONSTRAINT message_embeddings_turn;
DROP INDEX message_embeddings_by_assistant;
DROP INDEX message_embeddings_by_content;
DROP TABLE embedded_texts;
