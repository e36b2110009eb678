-- name: ConversationByID
SELECT id, source_id, source, title, create_time, update_time, model_slug, hash, superseded FROM conversations WHERE id = ?;

-- All conversations of a source, or of any when it is empty.
-- name: ConversationIDs
SELECT id FROM conversations WHERE ?1 IN ('', source) ORDER BY id;

-- What rows of other tables call a conversation.
-- name: ConversationNumber
SELECT number FROM conversations WHERE id = ?;

-- The greatest number, and what has which: read from the index alone.
-- name: LastConversation
SELECT max(number) FROM conversations;

-- name: ConversationNumbers
SELECT number, id FROM conversations;

-- What a re-import needs to know of a conversation.
-- name: ConversationState
SELECT hash, update_time, superseded FROM conversations WHERE id = ?;

-- name: PutConversation
INSERT INTO conversations (id, source_id, source, title, create_time, update_time, model_slug, hash, superseded)
VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
ON CONFLICT (id) DO UPDATE SET
    source_id = excluded.source_id, source = excluded.source, title = excluded.title, create_time = excluded.create_time,
    update_time = excluded.update_time, model_slug = excluded.model_slug, hash = excluded.hash,
    superseded = excluded.superseded;
