-- How far the record of the offline retriever's decisions went. The record itself lies outside, for that the archive was locked is recorded too.

-- +goose Up

-- log names the record: '' is the only one of an archive that one folder has. head is sealed by the record's key.
CREATE TABLE audit_heads (
    log  TEXT NOT NULL PRIMARY KEY,
    head TEXT NOT NULL
) WITHOUT ROWID;

-- +goose Down
DROP TABLE audit_heads;
