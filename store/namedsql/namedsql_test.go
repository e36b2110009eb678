package namedsql_test

import (
	"fmt"
	"strings"
	"testing"
	"testing/fstest"

	"lens/store/namedsql"
)

func Example() {
	queries := namedsql.Load(fstest.MapFS{"queries/turns.sql": {Data: []byte(`
-- How many there are.
-- name: CountTurns
SELECT count(*) FROM turns;
`)}}, "queries/*.sql")
	fmt.Println(queries.Get("CountTurns"))
	// Output: SELECT count(*) FROM turns
}

func TestLoad_InvalidFilesPanic(t *testing.T) {
	for name, text := range map[string]string{
		"no end":             "-- name: A\nSELECT 1\n",
		"a second beginning": "-- name: A\nSELECT 1;\n-- name: A\nSELECT 2;\n",
		"no such query":      "-- name: B\nSELECT 1;\n",
	} {
		t.Run(name, func(t *testing.T) {
			defer func() {
				if said, _ := recover().(string); !strings.Contains(said, " A") {
					t.Errorf("it said %q", said)
				}
			}()
			namedsql.Load(fstest.MapFS{"a.sql": {Data: []byte(text)}}, "*.sql").Get("A")
		})
	}
}

func TestLoad_SemicolonsInsideLines(t *testing.T) {
	queries := namedsql.Load(fstest.MapFS{"a.sql": {Data: []byte("-- name: A\nSELECT ';' -- one;two\n, 2;\n\n-- about B\n-- name: B\nSELECT 3;\n")}}, "*.sql")
	if got, want := queries.Get("A"), "SELECT ';' -- one;two\n, 2"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	if got, want := queries.Get("B"), "SELECT 3"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}
