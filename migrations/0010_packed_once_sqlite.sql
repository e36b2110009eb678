-- The body of a message may hold its text once, and its raw JSON without it. The number of this step keeps an older Lens, which cannot
-- read such a body, from opening the archive.

-- +goose Up
SELECT 1;

-- +goose Down
SELECT 1;
