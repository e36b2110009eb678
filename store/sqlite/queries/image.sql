-- What differs between two archives that hold the same: the times at which the tables were made.
-- name: ForgetMigrationTimes
UPDATE goose_db_version SET tstamp = '1970-01-01 00:00:00';

-- When turns were written.
-- name: ForgetTurnTimes
UPDATE turns SET created_at = 0;

-- The counters that follow the clock.
-- name: ForgetCommits
UPDATE archive SET value = 1 WHERE key IN ('version', 'turns');
