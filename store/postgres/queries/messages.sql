-- Returns all messages of a conversation, every branch.
-- name: Messages
SELECT id, source_id, parent_id, seq, role, content_type, text, turn_summary, model_slug, create_time, visible, on_active_path,
       turn_id, raw, hash
FROM messages WHERE conversation_id = $1 ORDER BY seq;

-- Returns the states of the messages of conversations for a re-import.
-- name: MessageStates
SELECT id, conversation_id, hash FROM messages WHERE conversation_id = ANY ($1::uuid[]);

-- name: MessageOwners
SELECT id, conversation_id FROM messages WHERE id = ANY ($1::uuid[]);

-- Messages are written with COPY, after their old rows are deleted.
-- name: DeleteMessages
DELETE FROM messages WHERE id = ANY ($1::uuid[]);

-- name: CopyMessages
COPY messages (id, conversation_id, turn_id, seq, parent_id, role, visible, on_active_path, create_time, hash,
               source_id, content_type, model_slug, turn_summary, text, raw) FROM STDIN (FORMAT binary);
