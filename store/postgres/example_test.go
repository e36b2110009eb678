package postgres_test

import (
	"context"
	"errors"
	"fmt"

	"lens/internal/errs"
	"lens/store/postgres"
)

// If no server answers, the error has a hint.
func ExampleOpen() {
	archive, err := postgres.Open(context.Background(), postgres.Options{URL: "postgres://lens:secret@127.0.0.1:1/lens", Verb: "example"})
	if err == nil {
		defer archive.Close()
	}
	var storeErr *errs.Error
	if errors.As(err, &storeErr) {
		fmt.Println(storeErr.Message)
		fmt.Println(storeErr.Hint)
	}
	// Output:
	// cannot reach Postgres at 127.0.0.1:1/lens
	// start the server (docker compose up -d), correct the database URL, or omit it to use SQLite
}
