-- Returns all generations, the active one first.
-- name: Generations
SELECT id, provider, model, dim, recipe, query_prefix, document_prefix, active, created_at,
       (SELECT count(*) FROM message_embeddings e WHERE e.generation_id = g.id)
FROM generations g ORDER BY active DESC, id;

-- name: GenerationByName
SELECT id, active, created_at, (SELECT count(*) FROM message_embeddings e WHERE e.generation_id = g.id)
FROM generations g WHERE provider = $1 AND model = $2 AND dim = $3 AND recipe = $4
  AND query_prefix = $5 AND document_prefix = $6;

-- name: GenerationByID
SELECT provider, model, dim, recipe, query_prefix, document_prefix FROM generations WHERE id = $1;

-- name: InsertGeneration
INSERT INTO generations (provider, model, dim, recipe, query_prefix, document_prefix, active, changed, created_at)
VALUES ($1, $2, $3, $4, $5, $6, FALSE, $7, $7)
RETURNING id;

-- name: Deactivate
UPDATE generations SET active = FALSE WHERE active;

-- name: Activate
UPDATE generations SET active = TRUE WHERE id = $1;

-- Marks every index of vectors as stale.
-- name: MoveVectors
UPDATE generations SET changed = greatest(changed + 1, $1);

-- Returns the state that decides how vectors are searched: the archive's version, the active
-- generation, the last time a vector of it was replaced or removed, whether its index exists and is
-- valid, and the table's file, which changes when the table is rewritten. Naming the table locks it,
-- so that it is not rewritten before the transaction ends.
-- name: SearchPlan
SELECT a.value, g.id, g.dim, g.changed, coalesce(i.indisvalid AND i.indisready, FALSE),
       (SELECT pg_relation_filenode('message_embeddings') WHERE NOT EXISTS (SELECT FROM message_embeddings WHERE FALSE))
FROM archive a LEFT JOIN generations g ON g.active LEFT JOIN pg_index i ON i.indexrelid = to_regclass('vectors_near_' || g.id)
WHERE a.key = 'version';

-- Sets the planning of the rest of a transaction and the search effort of the vector index. Without
-- sorting, an index must provide the order.
-- name: TuneSearch
SELECT set_config('plan_cache_mode', $1, TRUE), set_config('enable_sort', $2, TRUE), set_config('hnsw.ef_search', $3, TRUE);

-- The following searches return turns by ascending negative inner product, in the server's arithmetic.
-- They return no vectors: sending one costs the server more than comparing ten.

-- Compares turns given by id, and turns given by the tuple ids of their vectors. Of the latter it
-- returns the nearest; of the former all, so that their tuple ids become known. One plan serves all
-- parameters.
-- name: NearestAmong
SELECT e.id, e.ctid, e.vector <#> $1::halfvec AS distance
FROM message_embeddings e WHERE e.id = ANY ($3::uuid[]) AND e.generation_id = $2
UNION ALL
(SELECT e.id, e.ctid, e.vector <#> $1::halfvec AS distance
 FROM message_embeddings e WHERE e.ctid = ANY ($4::tid[])
 ORDER BY distance LIMIT $5);

-- Searches the index of a generation: expression and condition are those of MakeVectorIndex. Nothing
-- is sorted. A NULL bound is open.
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

-- Compares all vectors one by one. No index matches the expression.
-- name: NearestOfAll
SELECT t.ord, e.vector <#> $1::halfvec AS distance
FROM turns t JOIN message_embeddings e ON e.id = t.id AND e.generation_id = $2
WHERE ($3 OR t.on_active_path)
  AND ($4::uuid IS NULL OR t.conversation_id = $4)
  AND ($5::bigint IS NULL OR t.create_time >= $5)
  AND ($6::bigint IS NULL OR t.create_time < $6)
  AND ($7::text[] IS NULL OR EXISTS (SELECT FROM conversations c WHERE c.id = t.conversation_id AND c.source = ANY ($7)))
ORDER BY distance LIMIT $8;

-- Compares the vectors with the given tuple ids.
-- name: CompareAt
SELECT e.ctid, e.vector <#> $1::halfvec FROM message_embeddings e WHERE e.ctid = ANY ($2::tid[]);

-- Returns the mean of a thousand vectors of a generation, NULL if it has none.
-- name: MeanVector
SELECT avg(e.vector)::halfvec FROM (SELECT vector FROM message_embeddings WHERE generation_id = $1 ORDER BY id LIMIT 1000) e;

-- Returns, for the vectors of some turns (NULL: all) in a generation, their tuple ids, their negative
-- inner products with a mean, and the signs of their differences from it. Subtracting whole floats is
-- three times as fast as subtracting halves.
-- name: Signs
SELECT e.id, e.ctid, e.vector <#> $2::halfvec, binary_quantize(e.vector::vector - $2::halfvec::vector)
FROM message_embeddings e WHERE e.generation_id = $1 AND ($3::uuid[] IS NULL OR e.id = ANY ($3));

-- Returns the vectors of some turns.
-- name: VectorsOf
SELECT e.id, e.vector FROM message_embeddings e WHERE e.id = ANY ($2::uuid[]) AND e.generation_id = $1;

-- Returns the vector of one turn in the active generation.
-- name: VectorOfOrd
SELECT e.vector FROM turns t JOIN generations g ON g.active JOIN message_embeddings e ON e.id = t.id AND e.generation_id = g.id
WHERE t.ord = $1;

-- Returns the columns that a vector copies from its turn.
-- name: MessagesOfTurns
SELECT id, user_message_id, assistant_message_id FROM turns WHERE id = ANY ($1::uuid[]);

-- Vectors are written with COPY, after the turns' old vectors are deleted. Returns what those were made of, like DeleteVectors.
-- name: DeleteGenerationVectors
DELETE FROM message_embeddings WHERE generation_id = $2 AND id = ANY ($1::uuid[]) RETURNING content_hash;

-- name: CopyVectors
COPY message_embeddings (id, generation_id, provider, model, user_message_id, assistant_message_id, dim, content_hash,
                         used_turn_summary, created_at, vector) FROM STDIN (FORMAT binary);

-- name: DeleteVectors
DELETE FROM message_embeddings WHERE id = ANY ($1::uuid[]) RETURNING content_hash;

-- Lets a vector that is wider than a page be stored out of line. Narrower ones stay inline.
-- name: AllowWideVectors
ALTER TABLE message_embeddings ALTER COLUMN vector SET STORAGE MAIN;

-- Returns the columns of SearchPlan, and the number of vectors of the active generation.
-- name: VectorIndex
SELECT 0, g.id, g.dim, g.changed, coalesce(i.indisvalid AND i.indisready, FALSE),
       pg_relation_filenode('message_embeddings'), (SELECT count(*) FROM message_embeddings e WHERE e.generation_id = g.id)
FROM generations g LEFT JOIN pg_index i ON i.indexrelid = to_regclass('vectors_near_' || g.id)
WHERE g.active;

-- Returns the indexes of generations that no search uses, and what an interrupted CREATE INDEX
-- CONCURRENTLY left of the active one.
-- name: StaleVectorIndexes
SELECT c.relname
FROM pg_index i JOIN pg_class c ON c.oid = i.indexrelid
WHERE i.indrelid = 'message_embeddings'::regclass AND c.relname ~ '^vectors_near_[0-9]+$'
  AND (NOT i.indisvalid OR NOT i.indisready
       OR NOT EXISTS (SELECT FROM generations g WHERE g.active AND c.relname = 'vectors_near_' || g.id));

-- Sets the resources for building an index: memory, unless the server's setting is higher, and workers
-- ('': the server's default).
-- name: TuneBuild
SELECT set_config('maintenance_work_mem', $1, TRUE)
WHERE pg_size_bytes(current_setting('maintenance_work_mem')) < pg_size_bytes($1)
UNION ALL
SELECT set_config('max_parallel_maintenance_workers', $2, TRUE) WHERE $2 <> '';

-- Builds the HNSW index. (vector has no HNSW above 2,000 dimensions, halfvec has.) The defaults, m =
-- 16 and ef_construction = 64, build four times as fast, but on vectors in conversations and topics
-- they found .93 of the hundred nearest of 50,000, and almost none for some queries; these values find
-- .986. (An index of the signs is a twelfth as large, but not faster for the same recall, since
-- distances are the smaller part of a step; and it finds almost nothing among vectors on one side of
-- the space.)
-- name: MakeVectorIndex
CREATE INDEX vectors_near_{generation} ON message_embeddings USING hnsw ((vector::halfvec({dim})) halfvec_ip_ops)
WITH (m = 24, ef_construction = 200)
WHERE generation_id = {generation};

-- Returns the number of vectors in an index that a server process is building.
-- name: BuildProgress
SELECT tuples_done FROM pg_stat_progress_create_index WHERE pid = $1;

-- Returns a page of the vectors of a generation.
-- name: VectorsFrom
SELECT id, content_hash, used_turn_summary, created_at, vector FROM message_embeddings
WHERE generation_id = $1 AND id > $2 ORDER BY id LIMIT $3;
