package postgres

import (
	"context"
	"errors"
	"io"
	"net"
	"syscall"
	"testing"
	"time"

	"github.com/jackc/pgx/v5/pgconn"

	"lens/internal/errs"
	"lens/store"
	"lens/store/postgres/pgtest"
	"lens/store/storetest"
)

func TestRestart_ReadsAndWritesContinue(t *testing.T) {
	t.Parallel()
	server := pgtest.NewServer(t)
	s := openAt(t, Options{URL: server.Database(t)})
	for name, goAway := range map[string]func(testing.TB){
		"by an administrator": server.Restart,
		"after a crash":       func(tb testing.TB) { server.Stop(tb); server.Start(tb) },
		"slowly": func(tb testing.TB) {
			server.Stop(tb)
			time.AfterFunc(time.Second, func() { server.Start(tb) })
		},
	} {
		t.Run(name, func(t *testing.T) {
			before := count(t, s)
			must(t, put(t.Context(), s, storetest.Chat(5, "before")))
			goAway(t)
			if n := count(t, s); n != before+5 {
				t.Errorf("%d turns afterwards, want %d", n, before+5)
			}
			goAway(t)
			must(t, put(t.Context(), s, storetest.Chat(5, "after")))
			goAway(t)
			catalog, err := s.Catalog(t.Context())
			must(t, err)
			if catalog.Len() != before+10 {
				t.Errorf("%d turns in the end, want %d", catalog.Len(), before+10)
			}
		})
	}
}

func TestRestart_InterruptedReadIsRepeated(t *testing.T) {
	s := openAt(t, Options{URL: pgtest.Database(t)})
	calls := 0
	must(t, s.read(t.Context(), "test", func(c *conn) error {
		if calls++; calls == 1 {
			if _, err := c.Exec(t.Context(), "SELECT pg_terminate_backend(pg_backend_pid())"); err != nil {
				return err
			}
		}
		_, err := c.number(t.Context(), "CountTurns")
		return err
	}))
	if calls != 2 {
		t.Errorf("it was made %d times, want 2", calls)
	}
}

func TestRestart_InterruptedWriteLeavesNothing(t *testing.T) {
	s := openAt(t, Options{URL: pgtest.Database(t)})
	calls := 0
	err := s.Update(t.Context(), func(w store.Tx) error {
		calls++
		must(t, putIn(t.Context(), w, storetest.Chat(3, "lost")))
		_, err := w.(*tx).Exec(t.Context(), "SELECT pg_terminate_backend(pg_backend_pid())")
		return err
	})
	wantError(t, err, errs.Unavailable, "lost the connection", "try again")
	if calls != 1 {
		t.Errorf("it was made %d times, want once: it may not be repeatable", calls)
	}
	if n := count(t, s); n != 0 {
		t.Errorf("%d turns were kept", n)
	}
	must(t, put(t.Context(), s, storetest.Chat(2, "kept")))
	if n := count(t, s); n != 2 {
		t.Errorf("%d turns afterwards, want 2", n)
	}
}

func TestRestart_ServerStaysDown(t *testing.T) {
	t.Parallel()
	server := pgtest.NewServer(t)
	s := openAt(t, Options{URL: server.URL})
	server.Stop(t)
	_, err := s.Catalog(t.Context())
	wantError(t, err, errs.Unavailable, "cannot reach Postgres at", "start the server")
	ctx, cancel := context.WithTimeout(t.Context(), 200*time.Millisecond)
	defer cancel()
	if _, err := s.Catalog(ctx); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("got %v, want the deadline", err)
	}
	server.Start(t)
	if _, err := s.Catalog(t.Context()); err != nil {
		t.Errorf("it did not come back: %v", err)
	}
}

func TestRead_HalfOpenConnectionMeetsDeadline(t *testing.T) {
	var network freezer
	address := pgtest.Database(t)
	s := openAt(t, Options{URL: address, Dial: network.through(t)})
	must(t, put(t.Context(), s, storetest.Chat(3, "kept")))
	network.frozen.Store(true)
	for name, run := range map[string]func(context.Context) error{
		"read":  func(ctx context.Context) error { _, err := s.Catalog(ctx); return err },
		"write": func(ctx context.Context) error { return put(ctx, s, storetest.Chat(1, "lost")) },
	} {
		ctx, cancel := context.WithTimeout(t.Context(), 300*time.Millisecond)
		began := time.Now()
		if err := run(ctx); !errors.Is(err, context.DeadlineExceeded) || errs.CodeOf(err) != errs.Unavailable {
			t.Errorf("%s: got %v", name, err)
		}
		cancel()
		if waited := time.Since(began); waited > time.Minute {
			t.Errorf("%s: it took %v", name, waited)
		}
	}
	network.frozen.Store(false)
	if n := count(t, s); n != 3 {
		t.Errorf("%d turns afterwards, want 3", n)
	}
}

func TestIsConnLost(t *testing.T) {
	at := func(err error) error { return &net.OpError{Op: "read", Net: "tcp", Err: err} }
	for _, c := range []struct {
		name string
		err  error
		want bool
	}{
		{"nothing", nil, false},
		{"starting up", &pgconn.PgError{Code: "57P03"}, true},
		{"shut down by an administrator", &pgconn.PgError{Code: "57P01"}, true},
		{"shut down by a crash", &pgconn.PgError{Code: "57P02"}, true},
		{"a connection failure", &pgconn.PgError{Code: "08006"}, true},
		{"canceled", &pgconn.PgError{Code: "57014"}, false},
		{"a wrong password", &pgconn.PgError{Code: "28P01"}, false},
		{"a unique violation", &pgconn.PgError{Code: "23505"}, false},
		{"reset", at(syscall.ECONNRESET), true},
		{"refused", at(syscall.ECONNREFUSED), true},
		{"a broken pipe", at(syscall.EPIPE), true},
		{"a missing socket", &net.OpError{Op: "dial", Net: "unix", Err: syscall.ENOENT}, true},
		{"an early end", io.ErrUnexpectedEOF, true},
		{"a closed connection", pgconn.ErrConnClosed, true},
		{"an error of the caller's", errors.New("no"), false},
	} {
		if got := isConnLost(c.err); got != c.want {
			t.Errorf("%s: got %v", c.name, got)
		}
	}
}
