-- Returns all generations, the active one first.
-- name: Generations
SELECT id, provider, model, dim, recipe, query_prefix, document_prefix, active, created_at,
       (SELECT count(*) FROM message_embeddings e WHERE e.generation_id = g.id)
FROM generations g ORDER BY active DESC, id;

-- name: GenerationByName
SELECT id, active, created_at, (SELECT count(*) FROM message_embeddings e WHERE e.generation_id = g.id)
FROM generations g WHERE provider = ? AND model = ? AND dim = ? AND recipe = ?
  AND query_prefix = ? AND document_prefix = ?;

-- name: GenerationByID
SELECT provider, model, dim, recipe, query_prefix, document_prefix FROM generations WHERE id = ?;

-- name: InsertGeneration
INSERT INTO generations (provider, model, dim, recipe, query_prefix, document_prefix, active, changed, created_at)
VALUES (?1, ?2, ?3, ?4, ?5, ?6, FALSE, ?7, ?7)
RETURNING id;

-- name: Deactivate
UPDATE generations SET active = FALSE WHERE active;

-- name: Activate
UPDATE generations SET active = TRUE WHERE id = ?;

-- Marks every index made so far as stale.
-- name: MoveVectors
UPDATE generations SET changed = max(changed + 1, ?);

-- Returns the generation that queries use.
-- name: ActiveGeneration
SELECT id, dim, changed FROM generations WHERE active;

-- Returns the last vector of all generations and its creation time.
-- name: LastVector
SELECT seq, created_at FROM message_embeddings ORDER BY seq DESC LIMIT 1;

-- Returns the creation time of a vector.
-- name: VectorMade
SELECT created_at FROM message_embeddings WHERE seq = ?;

-- Counts a generation's vectors after seq.
-- name: CountVectorsAfter
SELECT count(*) FROM message_embeddings WHERE generation_id = ?1 AND seq > ?2;

-- Returns the seqs of a generation's vectors with the present ordinals of their turns. It reads the
-- index alone, since the rows are wide.
-- name: VectorSeqs
SELECT e.seq, t.ord FROM message_embeddings e INDEXED BY sqlite_autoindex_message_embeddings_1 CROSS JOIN turns t ON t.id = e.id
WHERE e.generation_id = ?;

-- Returns the same for vectors after seq.
-- name: VectorSeqsAfter
SELECT e.seq, t.ord FROM message_embeddings e CROSS JOIN turns t ON t.id = e.id
WHERE e.generation_id = ?1 AND e.seq > ?2;

-- name: VectorBySeq
SELECT vector FROM message_embeddings WHERE seq = ?;

-- Returns the vector of one turn in the active generation.
-- name: VectorOfOrd
SELECT e.vector FROM turns t JOIN generations g ON g.active JOIN message_embeddings e ON e.id = t.id AND e.generation_id = g.id
WHERE t.ord = ?;

-- Inserts a vector. Columns that the turn lacks are NULL; an unknown turn yields no row.
-- name: PutVector
INSERT INTO message_embeddings (id, generation_id, provider, model, user_message_id, assistant_message_id, dim, content_hash,
                                used_turn_summary, created_at, vector)
SELECT t.id, ?2, ?3, ?4, t.user_message_id, t.assistant_message_id, ?5, ?6, ?7, ?8, ?9 FROM turns t WHERE t.id = ?1;

-- Returns what they were made of, like the next query.
-- name: DeleteVector
DELETE FROM message_embeddings WHERE id = ? AND generation_id = ? RETURNING content_hash;

-- name: DeleteVectors
DELETE FROM message_embeddings WHERE id = ? RETURNING content_hash;

-- Returns the embeddable turns without a vector of a generation. A NULL bound is open; ordinals are a
-- JSON list.
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

-- Counts the turns of Pending.
-- name: CountPending
SELECT count(*) FROM turns t
WHERE embeddable
  AND NOT EXISTS (SELECT 1 FROM message_embeddings e WHERE e.id = t.id AND e.generation_id = ?1)
  AND (?2 OR on_active_path)
  AND (?3 IS NULL OR conversation = (SELECT number FROM conversations WHERE id = ?3))
  AND (?4 IS NULL OR create_time >= ?4)
  AND (?5 IS NULL OR create_time < ?5)
  AND (?6 IS NULL OR ord IN (SELECT value FROM json_each(?6)));

-- Returns a page of the vectors of a generation.
-- name: VectorsFrom
SELECT seq, id, content_hash, used_turn_summary, created_at, vector FROM message_embeddings
WHERE generation_id = ? AND seq > ? ORDER BY seq LIMIT ?;
