-- name: ConversationsByID
SELECT asked.n, c.id, source_id, source, title, create_time, update_time, model_slug, hash, superseded
FROM unnest($1::uuid[]) WITH ORDINALITY AS asked (id, n) JOIN conversations c ON c.id = asked.id
ORDER BY asked.n;

-- All conversations of a source, or of any when it is empty.
-- name: ConversationIDs
SELECT id FROM conversations WHERE $1::text IN ('', source) ORDER BY id;

-- What a re-import needs to know of conversations.
-- name: ConversationStates
SELECT id, hash, update_time, superseded FROM conversations WHERE id = ANY ($1::uuid[]);

-- Conversations come by COPY, in place of those with their ids.
-- name: DeleteConversations
DELETE FROM conversations WHERE id = ANY ($1::uuid[]);

-- name: CopyConversations
COPY conversations (id, source_id, source, title, create_time, update_time, model_slug, hash, superseded) FROM STDIN (FORMAT binary);
