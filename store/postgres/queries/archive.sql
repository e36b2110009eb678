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
