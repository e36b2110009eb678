-- All generations, the active one first.
-- name: Generations
SELECT id, provider, model, dim, recipe, active, created_at,
       (SELECT count(*) FROM message_embeddings e WHERE e.generation_id = g.id)
FROM generations g ORDER BY active DESC, id;

-- name: GenerationByName
SELECT id, active, created_at, (SELECT count(*) FROM message_embeddings e WHERE e.generation_id = g.id)
FROM generations g WHERE provider = ? AND model = ? AND dim = ? AND recipe = ?;

-- name: GenerationByID
SELECT provider, model, dim, recipe FROM generations WHERE id = ?;

-- name: InsertGeneration
INSERT INTO generations (provider, model, dim, recipe, active, changed, created_at) VALUES (?1, ?2, ?3, ?4, FALSE, ?5, ?5)
RETURNING id;

-- name: Deactivate
UPDATE generations SET active = FALSE WHERE active;

-- name: Activate
UPDATE generations SET active = TRUE WHERE id = ?;

-- Tells every index made so far that it is stale.
-- name: MoveVectors
UPDATE generations SET changed = max(changed + 1, ?);

-- The generation that queries use.
-- name: ActiveGeneration
SELECT id, dim, changed FROM generations WHERE active;

-- The last vector of all, and when it was made.
-- name: LastVector
SELECT seq, created_at FROM message_embeddings ORDER BY seq DESC LIMIT 1;

-- When a vector was made.
-- name: VectorMade
SELECT created_at FROM message_embeddings WHERE seq = ?;

-- How many of a generation were added after seq.
-- name: CountVectorsAfter
SELECT count(*) FROM message_embeddings WHERE generation_id = ?1 AND seq > ?2;

-- Where a generation's vectors lie, with the turn's present ordinal: read from the index alone, for the rows are wide.
-- name: VectorSeqs
SELECT e.seq, t.ord FROM message_embeddings e INDEXED BY sqlite_autoindex_message_embeddings_1 CROSS JOIN turns t ON t.id = e.id
WHERE e.generation_id = ?;

-- Those that were added after seq.
-- name: VectorSeqsAfter
SELECT e.seq, t.ord FROM message_embeddings e CROSS JOIN turns t ON t.id = e.id
WHERE e.generation_id = ?1 AND e.seq > ?2;

-- name: VectorBySeq
SELECT vector FROM message_embeddings WHERE seq = ?;

-- The vector of one turn in the active generation.
-- name: VectorOfOrd
SELECT e.vector FROM turns t JOIN generations g ON g.active JOIN message_embeddings e ON e.id = t.id AND e.generation_id = g.id
WHERE t.ord = ?;

-- A vector as it is put in place of the turn's last one. What the turn does not have is NULL; a turn that is not there yields
-- no row.
-- name: PutVector
INSERT INTO message_embeddings (id, generation_id, provider, model, user_message_id, assistant_message_id, dim, content_hash,
                                used_turn_summary, created_at, vector)
SELECT t.id, ?2, ?3, ?4, t.user_message_id, t.assistant_message_id, ?5, ?6, ?7, ?8, ?9 FROM turns t WHERE t.id = ?1;

-- name: DeleteVector
DELETE FROM message_embeddings WHERE id = ? AND generation_id = ?;

-- name: DeleteVectors
DELETE FROM message_embeddings WHERE id = ?;

-- Turns that could have a vector of a generation and have none. A NULL bound is open; ordinals come as a JSON list.
-- name: Pending
SELECT id FROM turns t
WHERE embeddable AND ord > ?1
  AND NOT EXISTS (SELECT 1 FROM message_embeddings e WHERE e.id = t.id AND e.generation_id = ?2)
  AND (?3 OR on_active_path)
  AND (?4 IS NULL OR conversation = (SELECT number FROM conversations WHERE id = ?4))
  AND (?5 IS NULL OR create_time >= ?5)
  AND (?6 IS NULL OR create_time < ?6)
  AND (?7 IS NULL OR ord IN (SELECT value FROM json_each(?7)))
ORDER BY ord LIMIT ?8;

-- How many there are.
-- name: CountPending
SELECT count(*) FROM turns t
WHERE embeddable
  AND NOT EXISTS (SELECT 1 FROM message_embeddings e WHERE e.id = t.id AND e.generation_id = ?1)
  AND (?2 OR on_active_path)
  AND (?3 IS NULL OR conversation = (SELECT number FROM conversations WHERE id = ?3))
  AND (?4 IS NULL OR create_time >= ?4)
  AND (?5 IS NULL OR create_time < ?5)
  AND (?6 IS NULL OR ord IN (SELECT value FROM json_each(?6)));
