-- The counters of the archive, as of one commit.
-- name: Counters
SELECT (SELECT value FROM archive WHERE key = 'version'), (SELECT value FROM archive WHERE key = 'turns');

-- Gives a counter a new value: the clock's, or one more than it had.
-- name: Stamp
UPDATE archive SET value = greatest(value + 1, $1) WHERE key = $2;

-- Hands out ordinals; yields the first that was not handed out yet.
-- name: ReserveOrds
UPDATE archive SET value = value + $1 WHERE key = 'next_ord' RETURNING value;

-- The first ordinal that was never handed out.
-- name: NextOrd
SELECT value FROM archive WHERE key = 'next_ord';

-- Says by which rules the keyword index was made.
-- name: PutTermsVersion
INSERT INTO archive (key, value) VALUES ('terms', $1) ON CONFLICT (key) DO UPDATE SET value = excluded.value WHERE archive.value <> excluded.value;

-- The rules by which the keyword index was made; 1 where it was made before that was written down. No row: there is no index yet.
-- name: TermsVersion
SELECT coalesce((SELECT value FROM archive WHERE key = 'terms'), 1) WHERE EXISTS (SELECT FROM term_segments);
