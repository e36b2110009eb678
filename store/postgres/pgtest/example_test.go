package pgtest_test

import (
	"testing"

	"github.com/jackc/pgx/v5"

	"lens/store/postgres/pgtest"
)

// A test asks for a database and gets a fresh one. The first that asks starts the server.
func ExampleDatabase() {
	_ = func(t *testing.T) {
		conn, err := pgx.Connect(t.Context(), pgtest.Database(t))
		if err != nil {
			t.Fatal(err)
		}
		defer conn.Close(t.Context())
	}
}
