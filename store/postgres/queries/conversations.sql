-- name: ConversationsByID
SELECT asked.n, c.id, source_id, source, title, create_time, update_time, model_slug, hash, superseded
FROM unnest($1::uuid[]) WITH ORDINALITY AS asked (id, n) JOIN conversations c ON c.id = asked.id
ORDER BY asked.n;

-- Returns all conversations of a source; of any source if it is empty.
-- name: ConversationIDs
SELECT id FROM conversations WHERE $1::text IN ('', source) ORDER BY id;

-- Returns the states of conversations for a re-import.
-- name: ConversationStates
SELECT id, hash, update_time, superseded, create_time FROM conversations WHERE id = ANY ($1::uuid[]);

-- Conversations are written with COPY, after their old rows are deleted.
-- name: DeleteConversations
DELETE FROM conversations WHERE id = ANY ($1::uuid[]);

-- name: CopyConversations
COPY conversations (id, source_id, source, title, create_time, update_time, model_slug, hash, superseded) FROM STDIN (FORMAT binary);
