package sourcetest

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/ncruces/go-sqlite3"

	"lens/internal/testenv"
	"lens/store/ingest/source"
)

// Database returns the content of a SQLite database that statements make.
func Database(tb testing.TB, statements ...string) string {
	tb.Helper()
	path := filepath.Join(tb.TempDir(), "made.db")
	conn, err := sqlite3.Open(path)
	testenv.Must(tb, err)
	for _, sql := range append([]string{"PRAGMA synchronous = off; PRAGMA journal_mode = off"}, statements...) {
		testenv.Must(tb, conn.Exec(sql))
	}
	testenv.Must(tb, conn.Close())
	content, err := os.ReadFile(path)
	testenv.Must(tb, err)
	return string(content)
}

// Quoted returns a text as a literal of SQL.
func Quoted(text string) string { return sqlite3.Quote(text) }

// FuzzValue feeds the parser of a database with arbitrary values in its rows, which make puts there.
func FuzzValue(f *testing.F, format *source.Format, make func(tb testing.TB, value string) string, seeds ...string) {
	f.Helper()
	for _, seed := range seeds {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, value string) {
		Parse(t, format, "f.db", make(t, value))
	})
}
