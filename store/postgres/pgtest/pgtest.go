// Package pgtest gives tests a Postgres with pgvector: a private server that starts when the first
// test needs it and stops when the test binary ends, for whatever reason.
//
// The environment variable LENS_TEST_POSTGRES may be
//
//   - empty: pgtest starts a server, after installing one if necessary and possible; if that fails, the test fails;
//   - a URL, postgres://…: pgtest uses that server, whose role must be allowed to create databases, and to create
//     schemas and pgvector in the database of the URL;
//   - skip: every test that needs a server is skipped and says so.
package pgtest

import (
	"context"
	"crypto/rand"
	"fmt"
	"net/url"
	"os"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
)

// EnvVar is the name of the environment variable that selects the server.
const EnvVar = "LENS_TEST_POSTGRES"

const skip = "skip"

// Database returns the URL of a new, empty database on the shared server. It is dropped when the test
// ends.
func Database(tb testing.TB) string {
	tb.Helper()
	server := serverURL(tb)
	name := newDatabase(tb, server)
	tb.Cleanup(func() { execute(tb, server, "DROP DATABASE IF EXISTS "+name+" WITH (FORCE)") })
	return WithDatabase(tb, server, name)
}

// Schema returns the URL of a new, empty schema in a database with pgvector. It is dropped when the
// test ends. Creating a schema takes a hundredth of the time of creating a database.
func Schema(tb testing.TB) string {
	tb.Helper()
	server := serverURL(tb)
	name := freshName()
	execute(tb, server, "SELECT pg_advisory_xact_lock(20150209); "+
		"CREATE EXTENSION IF NOT EXISTS vector SCHEMA public; CREATE SCHEMA "+name)
	tb.Cleanup(func() { execute(tb, server, "DROP SCHEMA IF EXISTS "+name+" CASCADE") })
	return withURL(tb, server, func(u *url.URL) {
		query := u.Query()
		query.Set("search_path", name+",public")
		u.RawQuery = query.Encode()
	})
}

// SuperuserDatabase is like Database, on a server whose superuser is the URL's user.
func SuperuserDatabase(tb testing.TB) string {
	tb.Helper()
	if os.Getenv(EnvVar) == "" {
		return Database(tb)
	}
	skipIfAsked(tb)
	server, err := shared()
	if err != nil {
		tb.Fatalf("NO POSTGRES TO TEST WITH: %v\nSet %s=%s to skip these tests.", err, EnvVar, skip)
	}
	return server.Database(tb)
}

// serverURL returns the URL of the shared server.
func serverURL(tb testing.TB) string {
	tb.Helper()
	skipIfAsked(tb)
	if given := os.Getenv(EnvVar); given != "" {
		return given
	}
	server, err := shared()
	if err != nil {
		tb.Fatalf("NO POSTGRES TO TEST WITH: %v\n"+
			"Set %s to the URL of a server with pgvector, or to %q to skip these tests.", err, EnvVar, skip)
	}
	return server.URL
}

// shared is the server of this test binary. It stops when the process ends.
var shared = sync.OnceValues(func() (*Server, error) { return start() })

func skipIfAsked(tb testing.TB) {
	tb.Helper()
	if os.Getenv(EnvVar) == skip {
		reportSkip()
		tb.Skipf("POSTGRES TESTS ARE SKIPPED: %s=%s", EnvVar, skip)
	}
}

// reportSkip reports on stderr, since the output of a skipped test in a passing package is not shown.
var reportSkip = sync.OnceFunc(func() {
	fmt.Fprintf(os.Stderr, "POSTGRES TESTS ARE SKIPPED: %s=%s\n", EnvVar, skip)
})

// newDatabase creates a database and returns its name.
func newDatabase(tb testing.TB, server string) string {
	tb.Helper()
	name := freshName()
	execute(tb, server, "CREATE DATABASE "+name+" TEMPLATE template0")
	return name
}

func freshName() string { return "lens_test_" + strings.ToLower(rand.Text()) }

// WithDatabase returns the server's URL with another database.
func WithDatabase(tb testing.TB, server, database string) string {
	tb.Helper()
	return withURL(tb, server, func(u *url.URL) { u.Path = "/" + database })
}

// withURL returns the URL after edit has changed it.
func withURL(tb testing.TB, server string, edit func(*url.URL)) string {
	tb.Helper()
	u, err := url.Parse(server)
	if err != nil {
		tb.Fatal("invalid URL in " + EnvVar) // without the error, which would show the password
	}
	edit(u)
	return u.String()
}

// execute runs one statement on its own connection, also after the test's context has ended.
func execute(tb testing.TB, server, sql string) {
	tb.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	conn, err := pgx.Connect(ctx, server)
	if err != nil {
		tb.Fatalf("pgtest: %v", err)
	}
	defer conn.Close(ctx)
	if _, err := conn.Exec(ctx, sql); err != nil {
		tb.Errorf("pgtest: %s: %v", sql, err)
	}
}
