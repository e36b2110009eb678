-- Returns the catalog columns of every turn. Flags are store.FlagOnPath and store.FlagEmbeddable.
-- name: CatalogRows
SELECT ord, id, conversation_id, position, on_active_path::int + 2 * embeddable::int, length, create_time FROM turns;

-- Returns the source of every conversation.
-- name: ConversationSources
SELECT id, source FROM conversations;

-- Counts the turns.
-- name: CountTurns
SELECT count(*) FROM turns;

-- Returns the ordinals in use.
-- name: LiveOrds
SELECT ord FROM turns;

-- Returns turns with their conversation's title and source, and their texts: the user message and the
-- visible assistant messages, without raw; last, the user message of an answer that was not chosen. One row per text; a turn without texts has one row without
-- a role.
-- name: TurnsByID
SELECT asked.n, t.ord, t.id, t.conversation_id, t.user_message_id, t.assistant_message_id, t.position, t.on_active_path,
       t.embeddable, t.length, t.create_time, t.time_source, t.model_slug, t.hash, c.title, c.source,
       m.role, m.text, m.turn_summary,
       d.path, d.filename, d.client_tag, d.modified_time, d.mime, d.content_hash, d.gone,
       k.source_id, k.seq, k.first_page, k.last_page, k.meta, t.created_at,
       coalesce(m.content_type = 'code', FALSE) OR coalesce(u.content_type = 'code', FALSE), u.text
FROM unnest($1::uuid[]) WITH ORDINALITY AS asked (id, n)
JOIN turns t ON t.id = asked.id
JOIN conversations c ON c.id = t.conversation_id
LEFT JOIN chunks k ON (c.source IN ('documents', 'chunks') OR strpos(c.source, '/') > 0) AND k.turn_id = t.id
LEFT JOIN documents d ON k.turn_id IS NOT NULL AND d.conversation_id = t.conversation_id
LEFT JOIN messages m ON m.conversation_id = t.conversation_id AND m.turn_id = t.id
     AND (m.id = t.user_message_id OR m.role = 'assistant' AND m.visible)
LEFT JOIN messages u ON NOT t.on_active_path AND u.id = t.user_message_id AND u.turn_id IS DISTINCT FROM t.id AND u.role = 'user'
ORDER BY asked.n, m.seq;

-- Returns the answers to a user message of a conversation: the turns and their first assistant messages.
-- name: Answers
SELECT t.id, (SELECT m.id FROM messages m
                WHERE m.conversation_id = t.conversation_id AND m.turn_id = t.id AND m.role = 'assistant' AND m.visible
                  AND m.content_type <> 'lens_turn_summary'
                ORDER BY m.seq LIMIT 1)
FROM turns t WHERE t.conversation_id = $1 AND t.user_message_id = $2
ORDER BY t.position;

-- Returns the answers to user messages that have one off the path, with the user message.
-- name: AnswersOffPath
SELECT t.id, t.user_message_id, (SELECT m.id FROM messages m
                WHERE m.conversation_id = t.conversation_id AND m.turn_id = t.id AND m.role = 'assistant' AND m.visible
                  AND m.content_type <> 'lens_turn_summary'
                ORDER BY m.seq LIMIT 1)
FROM (SELECT DISTINCT conversation_id, user_message_id FROM turns WHERE NOT on_active_path) o
JOIN turns t ON t.conversation_id = o.conversation_id AND t.user_message_id = o.user_message_id;

-- Returns the models of all turns.
-- name: Models
SELECT DISTINCT model_slug FROM turns WHERE model_slug <> '';

-- Returns the first ids between two bounds.
-- name: TurnIDsBetween
SELECT id FROM turns WHERE id BETWEEN $1 AND $2 ORDER BY id LIMIT $3;

-- Returns the states of the turns of conversations for a re-import.
-- name: TurnStates
SELECT id, conversation_id, ord, hash, on_active_path FROM turns WHERE conversation_id = ANY ($1::uuid[]);

-- Turns are written with COPY, after their old rows are deleted.
-- name: DeleteTurns
DELETE FROM turns WHERE id = ANY ($1::uuid[]);

-- name: CopyTurns
COPY turns (ord, id, conversation_id, user_message_id, assistant_message_id, position, on_active_path, embeddable,
            length, create_time, time_source, model_slug, hash, created_at) FROM STDIN (FORMAT binary);

-- Returns the embeddable turns without a vector of a generation. A NULL bound is open; NULL ordinals
-- mean all.
-- name: Pending
SELECT t.id FROM turns t
WHERE embeddable AND ord > $1
  AND NOT EXISTS (SELECT 1 FROM message_embeddings e WHERE e.id = t.id AND e.generation_id = $2)
  AND ($3 OR on_active_path)
  AND ($4::uuid IS NULL OR conversation_id = $4)
  AND ($5::bigint IS NULL OR create_time >= $5)
  AND ($6::bigint IS NULL OR create_time < $6)
  AND ($7::bigint[] IS NULL OR ord = ANY ($7))
ORDER BY ord LIMIT $8;

-- Counts the turns of Pending.
-- name: CountPending
SELECT count(*) FROM turns t
WHERE embeddable
  AND NOT EXISTS (SELECT 1 FROM message_embeddings e WHERE e.id = t.id AND e.generation_id = $1)
  AND ($2 OR on_active_path)
  AND ($3::uuid IS NULL OR conversation_id = $3)
  AND ($4::bigint IS NULL OR create_time >= $4)
  AND ($5::bigint IS NULL OR create_time < $5)
  AND ($6::bigint[] IS NULL OR ord = ANY ($6));

-- Sets the lengths of turns, in terms.
-- name: SetLengths
UPDATE turns t SET length = asked.length
FROM unnest($1::bigint[], $2::bigint[]) AS asked (ord, length)
WHERE t.ord = asked.ord AND t.length <> asked.length;
