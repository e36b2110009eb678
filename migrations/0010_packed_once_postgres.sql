-- Nothing: what an older Lens cannot read is in SQLite alone, and the numbers of both dialects agree.

-- +goose Up
SELECT 1;

-- +goose Down
SELECT 1;
