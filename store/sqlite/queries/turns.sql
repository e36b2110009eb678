-- Returns the greatest ordinal in use, which is at least the number of turns.
-- name: LastOrd
SELECT max(ord) FROM turns;

-- Returns the catalog columns of every turn. Flags are store.FlagOnPath and store.FlagEmbeddable.
-- name: CatalogRows
SELECT ord, id, conversation, position, on_active_path + 2 * embeddable, length, create_time
FROM turns;

-- Returns the ordinals in use.
-- name: LiveOrds
SELECT ord FROM turns;

-- Returns a turn with its conversation's title and source: a row for each of its texts, which are its user message and
-- the visible assistant messages.
-- name: TurnByID
SELECT t.ord, t.id, c.id, t.user_message_id, t.assistant_message_id, t.position, t.on_active_path, t.embeddable,
       t.length, t.create_time, t.time_source, t.model_slug, t.hash, c.title, c.source, c.number, t.created_at,
       m.role, m.turn_summary, m.content_type = 'code', m.body
FROM turns t JOIN conversations c ON c.number = t.conversation
LEFT JOIN messages m ON m.conversation = t.conversation AND m.turn_id = t.id
     AND (m.id = t.user_message_id OR m.role = 'assistant' AND m.visible)
WHERE t.id = ?
ORDER BY m.seq;

-- Returns the same of a turn by its ordinal.
-- name: TurnByOrd
SELECT t.ord, t.id, c.id, t.user_message_id, t.assistant_message_id, t.position, t.on_active_path, t.embeddable,
       t.length, t.create_time, t.time_source, t.model_slug, t.hash, c.title, c.source, c.number, t.created_at,
       m.role, m.turn_summary, m.content_type = 'code', m.body
FROM turns t JOIN conversations c ON c.number = t.conversation
LEFT JOIN messages m ON m.conversation = t.conversation AND m.turn_id = t.id
     AND (m.id = t.user_message_id OR m.role = 'assistant' AND m.visible)
WHERE t.ord = ?
ORDER BY m.seq;

-- Returns the answers to a user message of a conversation: the turns and their first assistant messages.
-- name: Answers
SELECT t.id, (SELECT m.id FROM messages m
                WHERE m.conversation = t.conversation AND m.turn_id = t.id AND m.role = 'assistant' AND m.visible
                  AND m.content_type <> 'lens_turn_summary'
                ORDER BY m.seq LIMIT 1)
FROM turns t
WHERE t.conversation = (SELECT number FROM conversations WHERE id = ?1) AND t.user_message_id = ?2
ORDER BY t.position;

-- Returns the answers to user messages that have one off the path, with the user message.
-- name: AnswersOffPath
SELECT t.id, t.user_message_id, (SELECT m.id FROM messages m
                WHERE m.conversation = t.conversation AND m.turn_id = t.id AND m.role = 'assistant' AND m.visible
                  AND m.content_type <> 'lens_turn_summary'
                ORDER BY m.seq LIMIT 1)
FROM (SELECT DISTINCT conversation, user_message_id FROM turns WHERE NOT on_active_path) o
JOIN turns t ON t.conversation = o.conversation AND t.user_message_id = o.user_message_id;

-- Returns the models of all turns.
-- name: Models
SELECT DISTINCT model_slug FROM turns WHERE model_slug <> '';

-- Returns the first ids between two bounds.
-- name: TurnIDsBetween
SELECT id FROM turns WHERE id BETWEEN ? AND ? ORDER BY id LIMIT ?;

-- Returns the states of a conversation's turns for a re-import.
-- name: TurnStates
SELECT id, ord, hash, on_active_path FROM turns WHERE conversation = (SELECT number FROM conversations WHERE id = ?);

-- Deletes a turn before its new row is inserted.
-- name: DeleteTurn
DELETE FROM turns WHERE id = ?;

-- Inserts a turn unless its id exists.
-- name: InsertTurn
INSERT INTO turns (ord, id, conversation, user_message_id, assistant_message_id, position, on_active_path, embeddable,
                   length, create_time, time_source, model_slug, hash, created_at)
VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
ON CONFLICT (id) DO NOTHING;

-- Inserts those of eight turns whose ids do not exist: see InsertMessages.
-- name: InsertTurns
INSERT OR FAIL INTO turns (ord, id, conversation, user_message_id, assistant_message_id, position, on_active_path, embeddable,
                   length, create_time, time_source, model_slug, hash, created_at)
VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?),
       (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?),
       (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?),
       (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?),
       (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?),
       (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?),
       (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?),
       (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
ON CONFLICT (id) DO NOTHING;

-- Sets the length of a turn, in terms.
-- name: SetLength
UPDATE turns SET length = ? WHERE ord = ?;
