-- The keyword segments, oldest first.
-- name: Segments
SELECT id, bytes FROM term_segments ORDER BY id;

-- For each of some terms, the one block of each segment in which it can stand.
-- name: BlocksFor
SELECT asked.n, s.id, b.data
FROM unnest($1::text[]) WITH ORDINALITY AS asked (term, n)
CROSS JOIN term_segments s
CROSS JOIN LATERAL (
    SELECT data FROM term_blocks WHERE segment = s.id AND first_term <= asked.term ORDER BY first_term DESC LIMIT 1
) b
ORDER BY asked.n, s.id;

-- The next blocks of a segment, in order.
-- name: BlocksAfter
SELECT first_term, data FROM term_blocks WHERE segment = $1 AND first_term > $2 ORDER BY first_term LIMIT $3;

-- name: InsertSegment
INSERT INTO term_segments (docs, bytes) VALUES ($1, 0) RETURNING id;

-- What a segment turned out to weigh.
-- name: WeighSegment
UPDATE term_segments SET bytes = $1, docs = $2 WHERE id = $3;

-- name: CopyBlocks
COPY term_blocks (segment, first_term, data) FROM STDIN (FORMAT binary);

-- name: DeleteSegments
DELETE FROM term_segments WHERE id = ANY ($1::bigint[]);

-- name: DeleteBlocks
DELETE FROM term_blocks WHERE segment = ANY ($1::bigint[]);
