// Package migrations holds the archive's schema, step by step, in two SQL dialects with the same
// tables.
//
// A file is NNNN_name_dialect.sql with a goose Up and a goose Down part. A released step is never
// edited: a later step amends it.
package migrations

import (
	"embed"
	"io/fs"
	"path"
	"slices"
	"strconv"
	"strings"
)

//go:embed *.sql
var files embed.FS

// Dialect is a dialect of SQL.
type Dialect string

// The supported dialects.
const (
	SQLite   Dialect = "sqlite"
	Postgres Dialect = "postgres"
)

// FS returns the migrations of one dialect at its root, as goose.NewProvider expects.
func FS(d Dialect) fs.FS { return oneDialect{suffix: "_" + string(d) + ".sql"} }

// Latest returns the schema version after all migrations of d.
func Latest(d Dialect) int64 {
	latest := int64(0)
	names, _ := fs.Glob(FS(d), "*.sql") // cannot fail: a valid pattern and embedded files
	for _, name := range names {
		number, _, _ := strings.Cut(name, "_")
		if v, err := strconv.ParseInt(number, 10, 64); err == nil {
			latest = max(latest, v)
		}
	}
	return latest
}

// oneDialect is a view of files that only has names ending with suffix.
type oneDialect struct{ suffix string }

func (d oneDialect) Open(name string) (fs.File, error) {
	if name != "." && !strings.HasSuffix(path.Base(name), d.suffix) {
		return nil, &fs.PathError{Op: "open", Path: name, Err: fs.ErrNotExist}
	}
	return files.Open(name)
}

func (d oneDialect) ReadDir(name string) ([]fs.DirEntry, error) {
	entries, err := files.ReadDir(name)
	return slices.DeleteFunc(entries, func(e fs.DirEntry) bool { return !strings.HasSuffix(e.Name(), d.suffix) }), err
}
