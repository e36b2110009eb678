-- The greatest ordinal that is alive: at least as many as there are turns.
-- name: LastOrd
SELECT max(ord) FROM turns;

-- What the catalog keeps of every turn. Flags are store.FlagOnPath and store.FlagEmbeddable.
-- name: CatalogRows
SELECT ord, id, conversation, position, on_active_path + 2 * embeddable, length, create_time
FROM turns;

-- Which ordinals are alive.
-- name: LiveOrds
SELECT ord FROM turns;

-- A turn with its conversation's title and source.
-- name: TurnByID
SELECT t.ord, t.id, c.id, t.user_message_id, t.assistant_message_id, t.position, t.on_active_path, t.embeddable,
       t.length, t.create_time, t.time_source, t.model_slug, t.hash, c.title, c.source, c.number, t.created_at
FROM turns t JOIN conversations c ON c.number = t.conversation
WHERE t.id = ?;

-- Ids between two bounds, the first of them.
-- name: TurnIDsBetween
SELECT id FROM turns WHERE id BETWEEN ? AND ? ORDER BY id LIMIT ?;

-- What a re-import needs to know of a conversation's turns.
-- name: TurnStates
SELECT id, ord, hash, on_active_path FROM turns WHERE conversation = (SELECT number FROM conversations WHERE id = ?);

-- Makes way for a turn's new row.
-- name: DeleteTurn
DELETE FROM turns WHERE id = ?;

-- Changes nothing where there is a turn of that id.
-- name: InsertTurn
INSERT INTO turns (ord, id, conversation, user_message_id, assistant_message_id, position, on_active_path, embeddable,
                   length, create_time, time_source, model_slug, hash, created_at)
VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
ON CONFLICT (id) DO NOTHING;

-- How long a turn is in terms.
-- name: SetLength
UPDATE turns SET length = ? WHERE ord = ?;
