-- Erases the creation times of the tables. They would distinguish archives with the same content, as
-- would the columns of the next two queries.
-- name: ForgetMigrationTimes
UPDATE goose_db_version SET tstamp = '1970-01-01 00:00:00';

-- Erases the times at which turns were written.
-- name: ForgetTurnTimes
UPDATE turns SET created_at = 0;

-- Resets the counters that follow the clock.
-- name: ForgetCommits
UPDATE archive SET value = 1 WHERE key IN ('version', 'turns');
