-- Returns the keyword segments, oldest first.
-- name: Segments
SELECT id, bytes FROM term_segments ORDER BY id;

-- name: KeywordIndexBytes
SELECT coalesce(sum(bytes), 0) FROM term_segments;

-- Returns the one block of a segment that may contain a term.
-- name: BlockFor
SELECT data FROM term_blocks WHERE segment = ? AND first_term <= ? ORDER BY first_term DESC LIMIT 1;

-- Returns all blocks of a segment, in order.
-- name: Blocks
SELECT first_term, data FROM term_blocks WHERE segment = ? ORDER BY first_term;

-- name: InsertSegment
INSERT INTO term_segments (docs, bytes) VALUES (?, 0) RETURNING id;

-- Stores the size of a new segment.
-- name: WeighSegment
UPDATE term_segments SET bytes = ?1, docs = ?2 WHERE id = ?3;

-- name: InsertBlock
INSERT INTO term_blocks (segment, first_term, data) VALUES (?, ?, ?);

-- name: DeleteSegment
DELETE FROM term_segments WHERE id = ?;

-- Deletes the first block of a segment and returns it.
-- name: TakeBlock
DELETE FROM term_blocks
WHERE rowid = (SELECT rowid FROM term_blocks WHERE segment = ? ORDER BY first_term LIMIT 1)
RETURNING first_term, data;
