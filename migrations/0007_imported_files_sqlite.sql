-- Where what the archive holds was imported from.

-- +goose Up

-- Paths are bytes, because those of files need not be valid UTF-8. The empty path stands for the root itself: a path
-- that the user named. data is written and read by store/ingest alone.
CREATE TABLE imported_files (
    root        BLOB    NOT NULL,
    path        BLOB    NOT NULL,
    data        TEXT    NOT NULL,
    imported_at INTEGER NOT NULL,
    PRIMARY KEY (root, path)
) WITHOUT ROWID;

-- One row. The number grows whenever something is forgotten or restored.
CREATE TABLE imported_epoch (
    epoch INTEGER NOT NULL
);
INSERT INTO imported_epoch (epoch) VALUES (0);

-- +goose Down
DROP TABLE imported_epoch;
DROP TABLE imported_files;
