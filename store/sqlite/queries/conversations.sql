-- Returns a conversation with its document, if it has one.
-- name: ConversationByID
SELECT d.path, d.filename, d.client_tag, d.modified_time, d.mime, d.content_hash, d.gone,
       c.id, c.source_id, c.source, c.title, c.create_time, c.update_time, c.model_slug, c.hash, c.superseded
FROM conversations c LEFT JOIN documents d ON d.conversation = c.number
WHERE c.id = ?;

-- Returns all conversations.
-- name: AllConversations
SELECT d.path, d.filename, d.client_tag, d.modified_time, d.mime, d.content_hash, d.gone,
       c.id, c.source_id, c.source, c.title, c.create_time, c.update_time, c.model_slug, c.hash, c.superseded
FROM conversations c LEFT JOIN documents d ON d.conversation = c.number;

-- Returns all conversations of a source; of any source if it is empty.
-- name: ConversationIDs
SELECT id FROM conversations WHERE ?1 IN ('', source) ORDER BY id;

-- Returns the number by which other tables refer to a conversation.
-- name: ConversationNumber
SELECT number FROM conversations WHERE id = ?;

-- Returns the greatest number. This query and the next two read the index alone.
-- name: LastConversation
SELECT max(number) FROM conversations;

-- Returns the conversation of each number.
-- name: ConversationNumbers
SELECT number, id FROM conversations;

-- Returns the source of each number.
-- name: ConversationSources
SELECT number, source FROM conversations INDEXED BY conversations_by_source ORDER BY source;

-- Returns the state of a conversation for a re-import.
-- name: ConversationState
SELECT hash, update_time, superseded, create_time FROM conversations WHERE id = ?;

-- name: PutConversation
INSERT INTO conversations (id, source_id, source, title, create_time, update_time, model_slug, hash, superseded)
VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
ON CONFLICT (id) DO UPDATE SET
    source_id = excluded.source_id, source = excluded.source, title = excluded.title, create_time = excluded.create_time,
    update_time = excluded.update_time, model_slug = excluded.model_slug, hash = excluded.hash,
    superseded = excluded.superseded;
