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
