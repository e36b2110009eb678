// Package pgtest gives tests a Postgres with pgvector: a private server that starts when the first test asks for one and stops
// when the test binary ends, however it ends.
//
// In the environment, LENS_TEST_POSTGRES may be
//
//   - empty: a server is started, and installed before where that is possible; where it is not, the test fails;
//   - a URL, postgres://…: that server is used, whose role must be allowed to make databases, and schemas and pgvector in the one it names;
//   - skip: every test that needs a server says so and is skipped.
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

// EnvVar is the name of the environment variable that says which server to use.
const EnvVar = "LENS_TEST_POSTGRES"

const skip = "skip"

// Database returns the URL of a fresh, empty database on the shared server. It is dropped when the test ends.
func Database(tb testing.TB) string {
	tb.Helper()
	server := serverURL(tb)
	name := newDatabase(tb, server)
	tb.Cleanup(func() { execute(tb, server, "DROP DATABASE IF EXISTS "+name+" WITH (FORCE)") })
	return WithDatabase(tb, server, name)
}

// Schema returns the URL of a fresh, empty schema in a database with pgvector. It is dropped when the test ends. To make one takes a hundredth
// of the time that a database takes.
func Schema(tb testing.TB) string {
	tb.Helper()
	server := serverURL(tb)
	name := freshName()
	execute(tb, server, "SELECT pg_advisory_xact_lock(20150209); CREATE EXTENSION IF NOT EXISTS vector SCHEMA public; CREATE SCHEMA "+name)
	tb.Cleanup(func() { execute(tb, server, "DROP SCHEMA IF EXISTS "+name+" CASCADE") })
	return change(tb, server, func(u *url.URL) {
		query := u.Query()
		query.Set("search_path", name+",public")
		u.RawQuery = query.Encode()
	})
}

// SuperuserDatabase is Database on a server of which the URL's user is the superuser.
func SuperuserDatabase(tb testing.TB) string {
	tb.Helper()
	if os.Getenv(EnvVar) == "" {
		return Database(tb)
	}
	skipIfAsked(tb)
	server, err := shared()
	if err != nil {
		tb.Fatalf("NO POSTGRES TO TEST WITH: %v\nSet %s=%s to do without these tests.", err, EnvVar, skip)
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
		tb.Fatalf("NO POSTGRES TO TEST WITH: %v\nSet %s to the URL of a server with pgvector, or to %q to do without these tests.", err, EnvVar, skip)
	}
	return server.URL
}

// shared is this test binary's own server. Nobody stops it: it stops when this process is gone.
var shared = sync.OnceValues(func() (*Server, error) { return start() })

func skipIfAsked(tb testing.TB) {
	tb.Helper()
	if os.Getenv(EnvVar) == skip {
		sayOnce()
		tb.Skipf("POSTGRES TESTS ARE SKIPPED: %s=%s", EnvVar, skip)
	}
}

// sayOnce tells on stderr, for a skipped test of a package that passes is never seen.
var sayOnce = sync.OnceFunc(func() {
	fmt.Fprintf(os.Stderr, "POSTGRES TESTS ARE SKIPPED: %s=%s\n", EnvVar, skip)
})

// newDatabase makes a database and returns its name.
func newDatabase(tb testing.TB, server string) string {
	tb.Helper()
	name := freshName()
	execute(tb, server, "CREATE DATABASE "+name+" TEMPLATE template0")
	return name
}

func freshName() string { return "lens_test_" + strings.ToLower(rand.Text()) }

// WithDatabase returns the URL with another database in it.
func WithDatabase(tb testing.TB, server, database string) string {
	tb.Helper()
	return change(tb, server, func(u *url.URL) { u.Path = "/" + database })
}

// change returns the URL as how leaves it.
func change(tb testing.TB, server string, how func(*url.URL)) string {
	tb.Helper()
	u, err := url.Parse(server)
	if err != nil {
		tb.Fatal("the URL in " + EnvVar + " cannot be read") // without the error, which would show the password
	}
	how(u)
	return u.String()
}

// execute runs one statement over a connection of its own, also after the test's context has ended.
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
