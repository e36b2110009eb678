-- Returns the keyword segments, oldest first.
-- name: Segments
SELECT id, bytes FROM term_segments ORDER BY id;

-- Returns, for each term, the one block of each segment that may contain it.
-- name: BlocksFor
SELECT asked.n, s.id, b.data
FROM unnest($1::text[]) WITH ORDINALITY AS asked (term, n)
CROSS JOIN term_segments s
CROSS JOIN LATERAL (
    SELECT data FROM term_blocks WHERE segment = s.id AND first_term <= asked.term ORDER BY first_term DESC LIMIT 1
) b
ORDER BY asked.n, s.id;

-- Returns the next blocks of a segment, in order.
-- name: BlocksAfter
SELECT first_term, data FROM term_blocks WHERE segment = $1 AND first_term > $2 ORDER BY first_term LIMIT $3;

-- name: InsertSegment
INSERT INTO term_segments (docs, bytes) VALUES ($1, 0) RETURNING id;

-- Stores the size of a new segment.
-- name: WeighSegment
UPDATE term_segments SET bytes = $1, docs = $2 WHERE id = $3;

-- name: CopyBlocks
COPY term_blocks (segment, first_term, data) FROM STDIN (FORMAT binary);

-- name: DeleteSegments
DELETE FROM term_segments WHERE id = ANY ($1::bigint[]);

-- name: DeleteBlocks
DELETE FROM term_blocks WHERE segment = ANY ($1::bigint[]);
