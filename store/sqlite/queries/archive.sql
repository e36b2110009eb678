-- Begin and end a transaction.
-- name: Begin
BEGIN;

-- name: BeginImmediate
BEGIN IMMEDIATE;

-- name: Commit
COMMIT;

-- Returns a counter of the archive.
-- name: Counter
SELECT value FROM archive WHERE key = ?;

-- Sets a counter to the clock, or to its value plus one if that is greater.
-- name: Stamp
UPDATE archive SET value = max(value + 1, ?1) WHERE key = ?2;

-- Reserves ordinals and returns the first free one after them.
-- name: ReserveOrds
UPDATE archive SET value = value + ? WHERE key = 'next_ord' RETURNING value;

-- Stores the version of the rules of the keyword index.
-- name: PutTermsVersion
INSERT INTO archive (key, value) VALUES ('terms', ?) ON CONFLICT (key) DO UPDATE SET value = excluded.value;

-- Returns the version of the rules of the keyword index; 1 if it predates versions. No row: there is
-- no index yet.
-- name: TermsVersion
SELECT coalesce((SELECT value FROM archive WHERE key = 'terms'), 1) WHERE EXISTS (SELECT 1 FROM term_segments);

-- Returns the bytes of texts and of vectors by source. SQLite knows a length without reading the value.
-- name: DiskUse
SELECT c.source, coalesce(sum(m.bytes), 0), coalesce(sum(v.bytes), 0)
FROM conversations c
LEFT JOIN (SELECT conversation, sum(length(body)) AS bytes FROM messages GROUP BY conversation) m ON m.conversation = c.number
LEFT JOIN (
    SELECT t.conversation, sum(length(e.vector)) AS bytes FROM message_embeddings e JOIN turns t ON t.id = e.id GROUP BY t.conversation
) v ON v.conversation = c.number
GROUP BY c.source ORDER BY c.source;

-- Returns how much there is of everything.
-- name: Counts
SELECT (SELECT count(*) FROM conversations), (SELECT count(*) FROM messages), (SELECT count(*) FROM turns),
       (SELECT count(*) FROM message_embeddings);
