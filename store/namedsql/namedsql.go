// Package namedsql loads named SQL queries from .sql files, where an editor can check them and each
// has a comment.
//
// A query follows a line "-- name: Name" and ends with a semicolon at the end of a line.
package namedsql

import (
	"io/fs"
	"strings"
)

// Queries maps names to SQL.
type Queries map[string]string

// Load reads all files that match pattern. It panics if a query has no end or two have the same name:
// the files are embedded, so that is a bug in the program.
func Load(files fs.FS, pattern string) Queries {
	queries := make(Queries)
	paths, err := fs.Glob(files, pattern)
	if err != nil {
		panic("namedsql: " + err.Error())
	}
	for _, path := range paths {
		text, err := fs.ReadFile(files, path)
		if err != nil {
			panic("namedsql: " + err.Error())
		}
		queries.add(path, string(text))
	}
	return queries
}

func (q Queries) add(path, text string) {
	for _, part := range strings.Split(text, "-- name: ")[1:] {
		name, rest, _ := strings.Cut(part, "\n")
		sql, _, ended := strings.Cut(rest, ";\n")
		if _, taken := q[name]; taken || !ended {
			panic("namedsql: query " + name + " in " + path + " has no end or is defined twice")
		}
		q[name] = sql
	}
}

// Get returns the SQL of a query. It panics if there is no query with that name.
func (q Queries) Get(name string) string {
	sql, ok := q[name]
	if !ok {
		panic("namedsql: no query named " + name)
	}
	return sql
}
