package sqlite

import (
	"embed"

	"lens/store/namedsql"
)

//go:embed queries/*.sql
var queryFiles embed.FS

// queries holds all SQL of this package.
var queries = namedsql.Load(queryFiles, "queries/*.sql")
