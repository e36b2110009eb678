-- All generations, the active one first.
-- name: Generations
SELECT id, provider, model, dim, recipe, active, created_at,
       (SELECT count(*) FROM message_embeddings e WHERE e.generation_id = g.id)
FROM generations g ORDER BY active DESC, id;

-- name: GenerationByName
SELECT id, active, created_at, (SELECT count(*) FROM message_embeddings e WHERE e.generation_id = g.id)
FROM generations g WHERE provider = $1 AND model = $2 AND dim = $3 AND recipe = $4;

-- name: GenerationByID
SELECT provider, model, dim, recipe FROM generations WHERE id = $1;

-- name: InsertGeneration
INSERT INTO generations (provider, model, dim, recipe, active, changed, created_at) VALUES ($1, $2, $3, $4, FALSE, $5, $5)
RETURNING id;

-- name: Deactivate
UPDATE generations SET active = FALSE WHERE active;

-- name: Activate
UPDATE generations SET active = TRUE WHERE id = $1;

-- Tells whoever keeps an index of vectors that it is stale.
-- name: MoveVectors
UPDATE generations SET changed = greatest(changed + 1, $1);

-- The generation that queries use.
-- name: ActiveGeneration
SELECT id, dim FROM generations WHERE active;

-- The vectors next to a query, by the server's arithmetic: ascending negative inner product. A NULL bound is open. What is sorted
-- is narrow; the vectors, three times as long as all else, are fetched for those that remain.
-- name: Nearest
WITH nearest AS MATERIALIZED (
    SELECT t.ord, t.id, e.vector <#> $1::halfvec AS distance
    FROM turns t JOIN message_embeddings e ON e.id = t.id AND e.generation_id = $2
    WHERE ($3 OR t.on_active_path)
      AND ($4::uuid IS NULL OR t.conversation_id = $4)
      AND ($5::bigint IS NULL OR t.create_time >= $5)
      AND ($6::bigint IS NULL OR t.create_time < $6)
    ORDER BY distance LIMIT $7
)
SELECT n.ord, n.distance, e.vector
FROM nearest n JOIN message_embeddings e ON e.id = n.id AND e.generation_id = $2
ORDER BY n.distance;

-- The vectors of some turns.
-- name: VectorsByOrd
SELECT t.ord, e.vector
FROM turns t JOIN message_embeddings e ON e.id = t.id AND e.generation_id = $1
WHERE t.ord = ANY ($2::bigint[]);

-- The vector of one turn in the active generation.
-- name: VectorOfOrd
SELECT e.vector FROM turns t JOIN generations g ON g.active JOIN message_embeddings e ON e.id = t.id AND e.generation_id = g.id
WHERE t.ord = $1;

-- What a vector takes over from its turn.
-- name: MessagesOfTurns
SELECT id, user_message_id, assistant_message_id FROM turns WHERE id = ANY ($1::uuid[]);

-- Vectors come by COPY, in place of those that their turns had.
-- name: DeleteGenerationVectors
DELETE FROM message_embeddings WHERE generation_id = $2 AND id = ANY ($1::uuid[]);

-- name: CopyVectors
COPY message_embeddings (id, generation_id, provider, model, user_message_id, assistant_message_id, dim, content_hash,
                         used_turn_summary, created_at, vector) FROM STDIN (FORMAT binary);

-- name: DeleteVectors
DELETE FROM message_embeddings WHERE id = ANY ($1::uuid[]);

-- Lets vectors that do not fit into a page be kept beside it. Those that do stay inline.
-- name: AllowWideVectors
ALTER TABLE message_embeddings ALTER COLUMN vector SET STORAGE MAIN;
