-- With its document, where it was made of one.
-- name: ConversationByID
SELECT d.path, d.filename, d.client_tag, d.modified_time, d.mime, d.content_hash, d.gone,
       c.id, c.source_id, c.source, c.title, c.create_time, c.update_time, c.model_slug, c.hash, c.superseded
FROM conversations c LEFT JOIN documents d ON d.conversation = c.number
WHERE c.id = ?;

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

-- The source of each, likewise.
-- name: ConversationSources
SELECT number, source FROM conversations INDEXED BY conversations_by_source ORDER BY source;

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
