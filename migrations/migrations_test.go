package migrations_test

import (
	"fmt"
	"io/fs"
	"regexp"
	"slices"
	"strings"
	"testing"

	"lens/migrations"
)

func Example() {
	names, err := fs.Glob(migrations.FS(migrations.SQLite), "*.sql")
	fmt.Println(names[0], err)
	// Output: 0001_init_sqlite.sql <nil>
}

var (
	// columns finds "name TYPE" at the beginning of a line inside a CREATE TABLE.
	columns = regexp.MustCompile(`(?m)^    ([a-z_]+) +[A-Za-z]`)

	// tableChanges finds a CREATE TABLE, which may replace an earlier one, and an ALTER TABLE.
	tableChanges = regexp.MustCompile(`(?s)(CREATE|ALTER) TABLE ([a-z_]+) ?(.*?);`)

	addedColumns = regexp.MustCompile(`ADD COLUMN +([a-z_]+)`)
)

// tables returns the columns of each table that the migrations of a dialect make.
func tables(t *testing.T, d migrations.Dialect) map[string][]string {
	t.Helper()
	found := make(map[string][]string)
	names, err := fs.Glob(migrations.FS(d), "*.sql")
	if err != nil || len(names) == 0 {
		t.Fatalf("%s: %v, %v", d, names, err)
	}
	for _, name := range names {
		sql, err := fs.ReadFile(migrations.FS(d), name)
		if err != nil {
			t.Fatal(err)
		}
		up, _, _ := strings.Cut(string(sql), "-- +goose Down")
		for _, change := range tableChanges.FindAllStringSubmatch(up, -1) {
			table, body, added := change[2], change[3], addedColumns
			if change[1] == "CREATE" {
				found[table], added = nil, columns
			}
			for _, m := range added.FindAllStringSubmatch(body, -1) {
				found[table] = append(found[table], m[1])
			}
		}
	}
	return found
}

// inPostgres returns what columns of SQLite are called in Postgres.
func inPostgres(columns []string) (named []string) {
	own := map[string][]string{"body": {"text", "raw"}, "number": {}, "conversation": {"conversation_id"}}
	for _, column := range columns {
		if there, ok := own[column]; ok {
			named = append(named, there...)
		} else {
			named = append(named, column)
		}
	}
	return named
}

func TestDialects_SameTablesAndColumns(t *testing.T) {
	sqlite, postgres := tables(t, migrations.SQLite), tables(t, migrations.Postgres)
	if len(sqlite) < 9 {
		t.Errorf("only %d tables were found", len(sqlite))
	}
	for table, columns := range sqlite {
		columns = inPostgres(columns)
		if !slices.Equal(columns, postgres[table]) {
			t.Errorf("%s: %v in SQLite, %v in Postgres", table, columns, postgres[table])
		}
	}
	if len(postgres) != len(sqlite) {
		t.Errorf("%d tables in SQLite, %d in Postgres", len(sqlite), len(postgres))
	}
}

func TestMigrations_BothDialectsUpAndDown(t *testing.T) {
	if l := migrations.Latest(migrations.SQLite); l == 0 || l != migrations.Latest(migrations.Postgres) {
		t.Errorf("latest: %d and %d", l, migrations.Latest(migrations.Postgres))
	}
	for _, d := range []migrations.Dialect{migrations.SQLite, migrations.Postgres} {
		entries, err := fs.ReadDir(migrations.FS(d), ".")
		if err != nil {
			t.Fatal(err)
		}
		for _, e := range entries {
			sql, err := fs.ReadFile(migrations.FS(d), e.Name())
			if err != nil || !strings.Contains(string(sql), "-- +goose Up") || !strings.Contains(string(sql), "-- +goose Down") {
				t.Errorf("%s goes one way only (%v)", e.Name(), err)
			}
		}
	}
	if _, err := fs.ReadFile(migrations.FS(migrations.SQLite), "0001_init_postgres.sql"); err == nil {
		t.Error("one dialect sees the other's migrations")
	}
}
