-- What is derived from the archive and kept, because it takes a while to make.

-- +goose Up

-- made_of is the counter 'turns' of what data was made of. The rows are dropped when anything is forgotten.
CREATE TABLE kept (
    name    TEXT   NOT NULL PRIMARY KEY,
    made_of BIGINT NOT NULL,
    data    BYTEA  NOT NULL
);

-- +goose Down
DROP TABLE kept;
