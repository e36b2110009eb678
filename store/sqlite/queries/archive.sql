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
