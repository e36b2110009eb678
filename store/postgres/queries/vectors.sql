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

-- What decides how vectors are searched: the archive's version, the active generation, when vectors of it were last replaced or removed,
-- whether its index is there and whole, and the file that they are in, another when the table is written anew. To name the table locks it,
-- so that it is not written anew until the transaction ends.
-- name: SearchPlan
SELECT a.value, g.id, g.dim, g.changed, coalesce(i.indisvalid AND i.indisready, FALSE),
       (SELECT pg_relation_filenode('message_embeddings') WHERE NOT EXISTS (SELECT FROM message_embeddings WHERE FALSE))
FROM archive a LEFT JOIN generations g ON g.active LEFT JOIN pg_index i ON i.indexrelid = to_regclass('vectors_near_' || g.id)
WHERE a.key = 'version';

-- How the rest of a transaction is planned, and how far it looks in the vector index. Without sorting, what is ordered comes by an index.
-- name: TuneSearch
SELECT set_config('plan_cache_mode', $1, TRUE), set_config('enable_sort', $2, TRUE), set_config('hnsw.ef_search', $3, TRUE);

-- The searches yield which turns are next to a query by the server's arithmetic, the ascending negative inner product, and no vectors:
-- to send one costs the server more than to compare ten.

-- Among the turns that are named, and those whose vectors' places are. Of the latter the nearest; of the former all, so that their places
-- are known from then on. Its plan does not depend on which, so that it is made once.
-- name: NearestAmong
SELECT e.id, e.ctid, e.vector <#> $1::halfvec AS distance
FROM message_embeddings e WHERE e.id = ANY ($3::uuid[]) AND e.generation_id = $2
UNION ALL
(SELECT e.id, e.ctid, e.vector <#> $1::halfvec AS distance
 FROM message_embeddings e WHERE e.ctid = ANY ($4::tid[])
 ORDER BY distance LIMIT $5);

-- By the index of a generation: the expression and the condition are those of MakeVectorIndex. Nothing is sorted. A NULL bound is open.
-- name: NearestByIndex
SELECT t.ord, e.vector::halfvec({dim}) <#> $1::halfvec AS distance
FROM message_embeddings e JOIN turns t ON t.id = e.id
WHERE e.generation_id = {generation}
  AND ($2 OR t.on_active_path)
  AND ($3::uuid IS NULL OR t.conversation_id = $3)
  AND ($4::bigint IS NULL OR t.create_time >= $4)
  AND ($5::bigint IS NULL OR t.create_time < $5)
  AND ($6::text[] IS NULL OR EXISTS (SELECT FROM conversations c WHERE c.id = t.conversation_id AND c.source = ANY ($6)))
ORDER BY distance LIMIT $7;

-- One by one. The expression is none that an index could answer.
-- name: NearestOfAll
SELECT t.ord, e.vector <#> $1::halfvec AS distance
FROM turns t JOIN message_embeddings e ON e.id = t.id AND e.generation_id = $2
WHERE ($3 OR t.on_active_path)
  AND ($4::uuid IS NULL OR t.conversation_id = $4)
  AND ($5::bigint IS NULL OR t.create_time >= $5)
  AND ($6::bigint IS NULL OR t.create_time < $6)
  AND ($7::text[] IS NULL OR EXISTS (SELECT FROM conversations c WHERE c.id = t.conversation_id AND c.source = ANY ($7)))
ORDER BY distance LIMIT $8;

-- The vectors that lie at some places.
-- name: CompareAt
SELECT e.ctid, e.vector <#> $1::halfvec FROM message_embeddings e WHERE e.ctid = ANY ($2::tid[]);

-- The mean of a thousand vectors of a generation, NULL where it has none.
-- name: MeanVector
SELECT avg(e.vector)::halfvec FROM (SELECT vector FROM message_embeddings WHERE generation_id = $1 ORDER BY id LIMIT 1000) e;

-- Of a generation's vectors, those of some turns (NULL: all): where they lie, their negative inner product with a mean, and their signs beyond
-- it. As whole floats they are subtracted three times as fast as in halves.
-- name: Signs
SELECT e.id, e.ctid, e.vector <#> $2::halfvec, binary_quantize(e.vector::vector - $2::halfvec::vector)
FROM message_embeddings e WHERE e.generation_id = $1 AND ($3::uuid[] IS NULL OR e.id = ANY ($3));

-- The vectors of some turns.
-- name: VectorsOf
SELECT e.id, e.vector FROM message_embeddings e WHERE e.id = ANY ($2::uuid[]) AND e.generation_id = $1;

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

-- The searchPlan of a search, and how many vectors the active generation has.
-- name: VectorIndex
SELECT 0, g.id, g.dim, g.changed, coalesce(i.indisvalid AND i.indisready, FALSE),
       pg_relation_filenode('message_embeddings'), (SELECT count(*) FROM message_embeddings e WHERE e.generation_id = g.id)
FROM generations g LEFT JOIN pg_index i ON i.indexrelid = to_regclass('vectors_near_' || g.id)
WHERE g.active;

-- The indexes of generations that no search goes by, and what an interrupted CREATE INDEX CONCURRENTLY left of the active one's.
-- name: StaleVectorIndexes
SELECT c.relname
FROM pg_index i JOIN pg_class c ON c.oid = i.indexrelid
WHERE i.indrelid = 'message_embeddings'::regclass AND c.relname ~ '^vectors_near_[0-9]+$'
  AND (NOT i.indisvalid OR NOT i.indisready
       OR NOT EXISTS (SELECT FROM generations g WHERE g.active AND c.relname = 'vectors_near_' || g.id));

-- What the building of an index may use: memory, where the server's own setting is not more, and workers ('': as many as it likes).
-- name: TuneBuild
SELECT set_config('maintenance_work_mem', $1, TRUE)
WHERE pg_size_bytes(current_setting('maintenance_work_mem')) < pg_size_bytes($1)
UNION ALL
SELECT set_config('max_parallel_maintenance_workers', $2, TRUE) WHERE $2 <> '';

-- (vector has no HNSW above 2,000 dimensions.) The defaults, m = 16 and ef_construction = 64, build four times as fast, but on vectors
-- that lie in conversations and topics they found .93 of the hundred nearest of 50,000, and for some queries next to nothing; these .986.
-- (An index of the vectors' signs is a twelfth as large, but no faster to walk for the same recall, as most of a step is not its distance;
-- and of vectors that all lie on one side it finds next to nothing.)
-- name: MakeVectorIndex
CREATE INDEX vectors_near_{generation} ON message_embeddings USING hnsw ((vector::halfvec({dim})) halfvec_ip_ops)
WITH (m = 24, ef_construction = 200)
WHERE generation_id = {generation};

-- How many vectors are in an index that a server process is building.
-- name: BuildProgress
SELECT tuples_done FROM pg_stat_progress_create_index WHERE pid = $1;
