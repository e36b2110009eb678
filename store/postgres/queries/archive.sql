-- Returns the counters of the archive, as of one commit.
-- name: Counters
SELECT (SELECT value FROM archive WHERE key = 'version'), (SELECT value FROM archive WHERE key = 'turns');

-- Sets a counter to the clock, or to its value plus one if that is greater.
-- name: Stamp
UPDATE archive SET value = greatest(value + 1, $1) WHERE key = $2;

-- Reserves ordinals and returns the first free one after them.
-- name: ReserveOrds
UPDATE archive SET value = value + $1 WHERE key = 'next_ord' RETURNING value;

-- Stores the version of the rules of the keyword index.
-- name: PutTermsVersion
INSERT INTO archive (key, value) VALUES ('terms', $1) ON CONFLICT (key) DO UPDATE SET value = excluded.value WHERE archive.value <> excluded.value;

-- Returns the version of the rules of the keyword index; 1 if it predates versions. No row: there is
-- no index yet.
-- name: TermsVersion
SELECT coalesce((SELECT value FROM archive WHERE key = 'terms'), 1) WHERE EXISTS (SELECT FROM term_segments);

-- Returns the bytes of texts and of vectors by source, compressed as they are stored.
-- name: DiskUse
SELECT c.source, coalesce(sum(m.bytes), 0)::bigint, coalesce(sum(v.bytes), 0)::bigint
FROM conversations c
LEFT JOIN (
    SELECT conversation_id, sum(pg_column_size(text) + pg_column_size(raw)) AS bytes FROM messages GROUP BY conversation_id
) m ON m.conversation_id = c.id
LEFT JOIN (
    SELECT t.conversation_id, sum(pg_column_size(e.vector)) AS bytes
    FROM message_embeddings e JOIN turns t ON t.id = e.id GROUP BY t.conversation_id
) v ON v.conversation_id = c.id
GROUP BY c.source ORDER BY c.source;

-- Returns the bytes of all tables with their indexes.
-- name: TotalDiskUse
SELECT coalesce(sum(pg_total_relation_size(c.oid)), 0)::bigint
FROM pg_class c WHERE c.relnamespace = current_schema()::regnamespace AND c.relkind = 'r';
