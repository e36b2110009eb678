-- A counter of the archive.
-- name: Counter
SELECT value FROM archive WHERE key = ?;

-- Gives a counter a new value: the clock's, or one more than it had.
-- name: Stamp
UPDATE archive SET value = max(value + 1, ?1) WHERE key = ?2;

-- Hands out ordinals; yields the first that was not handed out yet.
-- name: ReserveOrds
UPDATE archive SET value = value + ? WHERE key = 'next_ord' RETURNING value;

-- Says by which rules the keyword index was made.
-- name: PutTermsVersion
INSERT INTO archive (key, value) VALUES ('terms', ?) ON CONFLICT (key) DO UPDATE SET value = excluded.value;

-- The rules by which the keyword index was made; 1 where it was made before that was written down. No row: there is no index yet.
-- name: TermsVersion
SELECT coalesce((SELECT value FROM archive WHERE key = 'terms'), 1) WHERE EXISTS (SELECT 1 FROM term_segments);
