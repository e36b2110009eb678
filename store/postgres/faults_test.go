package postgres

import (
	"context"
	"errors"
	"net"
	"net/url"
	"strings"
	"testing"
	"time"

	"lens/internal/errs"
	"lens/store/failure"
	"lens/store/postgres/pgtest"
	"lens/store/storetest"
)

// secret is a password that no error may show.
const secret = "tr0ub4dor"

// withUser returns the URL with another user and password.
func withUser(t *testing.T, address, user, password string) string {
	t.Helper()
	u, err := url.Parse(address)
	must(t, err)
	u.User = url.UserPassword(user, password)
	return u.String()
}

// with returns the URL with an additional parameter.
func with(t *testing.T, address, key, value string) string {
	t.Helper()
	u, err := url.Parse(address)
	must(t, err)
	q := u.Query()
	q.Set(key, value)
	u.RawQuery = q.Encode()
	return u.String()
}

// unusedAddress returns an address that no server listens on.
func unusedAddress(t *testing.T) string {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	must(t, err)
	must(t, listener.Close())
	return listener.Addr().String()
}

func TestOpen_ReportsServerFault(t *testing.T) {
	t.Parallel()
	address := pgtest.SuperuserDatabase(t) // on a server that requires passwords
	for _, c := range []struct {
		name          string
		url           string
		code          errs.Code
		message, hint string
	}{
		{
			"no server", "postgres://lens:" + secret + "@" + unusedAddress(t) + "/lens",
			errs.Unavailable, "cannot reach Postgres at 127.0.0.1:", "start the server",
		},
		{
			"no such socket", "postgres://lens:" + secret + "@/lens?host=/nowhere",
			errs.Unavailable, "cannot reach Postgres at /nowhere", "start the server",
		},
		{
			"no such host", "postgres://lens:" + secret + "@no-such-host.invalid/lens",
			errs.Unavailable, "cannot find the host no-such-host.invalid", "correct it",
		},
		{
			"a wrong password", withUser(t, address, "lens", secret),
			errs.Invalid, "rejects this user or password", "correct them",
		},
		{
			"no such user", withUser(t, address, "nobody", secret),
			errs.Invalid, "rejects this user or password", "correct them",
		},
		{
			"no such database", pgtest.WithDatabase(t, address, "elsewhere"),
			errs.NotFound, "database elsewhere does not exist", "createdb elsewhere",
		},
		{
			"a read-only server", with(t, address, "default_transaction_read_only", "on"),
			errs.Unavailable, "the server is read-only", "primary",
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, err := Open(t.Context(), Options{URL: c.url})
			wantError(t, err, c.code, c.message, c.hint)
			wantNoSecret(t, err, secret, address)
		})
	}
}

// wantNoSecret checks that err and its causes contain none of the secrets.
func wantNoSecret(t *testing.T, err error, secrets ...string) {
	t.Helper()
	for ; err != nil; err = errors.Unwrap(err) {
		for _, s := range secrets {
			if strings.Contains(err.Error(), s) {
				t.Errorf("the error shows a secret: %v", err)
			}
		}
	}
}

func TestOpen_InvalidURLIsNotShown(t *testing.T) {
	for _, address := range []string{
		"", "postgres://lens:" + secret + "@[::1/lens", "postgres://lens:" + secret + "%zz@localhost/lens", "host=localhost password=" + secret + " port=x",
		"postgres://lens:" + secret + "@localhost:port/lens", "postgres://localhost/lens?password=" + secret + "&sslmode=never",
		"://" + secret, secret, "postgres://lens:" + secret + "@localhost/lens?pool_max_conns=many",
	} {
		_, err := Open(t.Context(), Options{URL: address})
		wantError(t, err, errs.Invalid, "invalid database URL", "postgres://")
		wantNoSecret(t, err, secret)
	}
}

func TestOpen_ServerWithoutPgvector(t *testing.T) {
	t.Parallel()
	server := pgtest.NewServerWithoutPgvector(t)
	_, err := Open(t.Context(), Options{URL: server.URL})
	wantError(t, err, errs.Unavailable, "no pgvector", "apt install postgresql-")
}

func TestOpen_UserMayNotCreateExtension(t *testing.T) {
	t.Parallel()
	address := pgtest.SuperuserDatabase(t)
	execute(t, address, "DROP ROLE IF EXISTS guest; CREATE ROLE guest LOGIN PASSWORD 'guest'")
	_, err := Open(t.Context(), Options{URL: withUser(t, address, "guest", "guest")})
	wantError(t, err, errs.Unavailable, "lacks a permission", "CREATE EXTENSION vector")
}

func TestOpen_RefusesOtherSchema(t *testing.T) {
	for _, c := range []struct {
		name     string
		spoil    string // SQL, in a database with an archive where migrated is set
		migrated bool
		readOnly bool
		code     errs.Code
		message  string
	}{
		{"another program's tables", "CREATE TABLE conversations (url text)", false, false, errs.Invalid, "another program's tables"},
		{"a newer schema", "INSERT INTO lens_migrations (version_id, is_applied) VALUES (999, true)", true, false, errs.Invalid, "newer Lens"},
		{"an older schema, for reading only", "DELETE FROM lens_migrations WHERE version_id > 0", true, true, errs.Invalid, "older Lens"},
		{"nothing, for reading only", "SELECT 1", false, true, errs.NotFound, "there is no archive"},
	} {
		t.Run(c.name, func(t *testing.T) {
			address := pgtest.Database(t)
			if c.migrated {
				must(t, openAt(t, Options{URL: address}).Close())
			}
			execute(t, address, c.spoil)
			_, err := Open(t.Context(), Options{URL: address, ReadOnly: c.readOnly})
			wantError(t, err, c.code, c.message, "")
		})
	}
}

func execute(t *testing.T, address, sql string) {
	t.Helper()
	config, err := configure(Options{URL: address})
	must(t, err)
	c, err := (&Store{config: config.ConnConfig}).connect(t.Context())
	must(t, err)
	defer c.disconnect()
	_, err = c.Exec(t.Context(), sql)
	must(t, err)
}

func TestUpdate_ReadOnlyStore(t *testing.T) {
	address := pgtest.Database(t)
	s := openAt(t, Options{URL: address})
	must(t, put(t.Context(), s, storetest.Chat(3, "kept")))
	reader := openAt(t, Options{URL: address, ReadOnly: true})
	if n := count(t, reader); n != 3 {
		t.Errorf("it reads %d turns, want 3", n)
	}
	wantError(t, put(t.Context(), reader, storetest.Chat(1, "lost")), errs.Invalid, "open for reading only", "for writing")
	wantError(t, reader.Optimize(t.Context()), errs.Invalid, "open for reading only", "for writing")
}

func TestUpdate_TextWithNULByte(t *testing.T) {
	s := openAt(t, Options{URL: pgtest.Database(t)})
	err := put(t.Context(), s, storetest.Chat(1, "nul \x00 byte"))
	wantError(t, err, errs.Invalid, "NUL byte", "clean")
	wantNoSecret(t, err, "byte\x00", "nul \x00")
	if n := count(t, s); n != 0 {
		t.Errorf("%d turns were kept", n)
	}
}

func TestErrors_ServerCancelsQuery(t *testing.T) {
	s := openAt(t, Options{URL: pgtest.Database(t)})
	err := s.read(t.Context(), "sleep", func(c *conn) error {
		_, err := c.Exec(t.Context(), "SET statement_timeout = 200")
		must(t, err)
		return sleep(c)
	})
	wantError(t, err, errs.Unavailable, "canceled the query", "statement_timeout")
	if errors.Is(err, context.DeadlineExceeded) {
		t.Error("it passes for a deadline of the caller's")
	}
}

func sleep(c *conn) error {
	_, err := c.Exec(context.Background(), "SELECT pg_sleep(600)")
	return err
}

func TestRead_CancelEndsQueryOnServer(t *testing.T) {
	s := openAt(t, Options{URL: pgtest.Database(t)})
	ctx, cancel := context.WithCancel(t.Context())
	time.AfterFunc(100*time.Millisecond, cancel)
	began := time.Now()
	err := s.read(ctx, "sleep", func(c *conn) error {
		_, err := c.Exec(ctx, "SELECT pg_sleep(600)")
		return err
	})
	if !errors.Is(err, context.Canceled) || errs.CodeOf(err) != errs.Unavailable {
		t.Errorf("got %v", err)
	}
	if waited := time.Since(began); waited > time.Minute {
		t.Errorf("it took %v", waited)
	}
	wantSoon(t, "the query on the server ends", func() bool {
		return s.queryNumber(t, "SELECT count(*) FROM pg_stat_activity WHERE query LIKE '%pg_sleep(600)' "+
			"AND pid <> pg_backend_pid() AND datname = current_database() AND state = 'active'") == 0
	})
}

// queryNumber runs a query that returns one number.
func (s *Store) queryNumber(t *testing.T, sql string) (n int) {
	t.Helper()
	must(t, s.read(t.Context(), "test", func(c *conn) error { return c.QueryRow(t.Context(), sql).Scan(&n) }))
	return n
}

// wantSoon waits for something to become true.
func wantSoon(t *testing.T, what string, is func() bool) {
	t.Helper()
	for range 3000 {
		if is() {
			return
		}
		time.Sleep(20 * time.Millisecond)
	}
	t.Errorf("after a minute it still is not true that %s", what)
}

func TestClose_LaterReadsFail(t *testing.T) {
	s := openAt(t, Options{URL: pgtest.Database(t)})
	must(t, s.Close())
	must(t, s.Close())
	_, err := s.Catalog(t.Context())
	for _, err := range []error{err, put(t.Context(), s, storetest.Chat(1, "late")), s.Optimize(t.Context())} {
		if errs.CodeOf(err) != errs.Unavailable || !errors.Is(err, failure.ErrClosed) {
			t.Errorf("got %v", err)
		}
	}
}
