package postgres

import (
	"context"
	"errors"
	"sync"
	"testing"
	"time"

	"github.com/pressly/goose/v3"

	"lens/internal/errs"
	"lens/migrations"
	"lens/store"
	"lens/store/postgres/pgtest"
	"lens/store/storetest"
)

func TestWriter_NamesTheHolder(t *testing.T) {
	address := pgtest.Database(t)
	first := openAt(t, Options{URL: address, Verb: "import"})
	second := openAt(t, Options{URL: address, Verb: "embed", Wait: 200 * time.Millisecond})
	must(t, first.Update(t.Context(), func(store.Tx) error {
		err := put(t.Context(), second, storetest.Chat(1, "no"))
		wantError(t, err, errs.Unavailable, "is being written by `lens import` (server process ", "wait until it finishes")
		return nil
	}))
	if !first.writer.holds() {
		t.Error("the lock was free at once: an import would lose it between two batches")
	}
	wantSoon(t, "the second may write", func() bool { return put(t.Context(), second, storetest.Chat(1, "yes")) == nil })
	must(t, second.Close()) // releases the lock immediately
	must(t, put(t.Context(), first, storetest.Chat(1, "yes")))
}

// holds reports whether this process holds the lock.
func (w *writer) holds() bool {
	<-w.token
	defer func() { w.token <- struct{}{} }()
	return w.conn != nil
}

func TestWriter_SecondWriterInProcess(t *testing.T) {
	s := openAt(t, Options{URL: pgtest.Database(t), Wait: 100 * time.Millisecond})
	must(t, s.Update(t.Context(), func(store.Tx) error {
		wantError(t, put(t.Context(), s, storetest.Chat(1, "no")), errs.Unavailable, "is being written", "")
		return nil
	}))
}

func TestWriter_CancelWhileWaiting(t *testing.T) {
	address := pgtest.Database(t)
	first, second := openAt(t, Options{URL: address}), openAt(t, Options{URL: address, Wait: time.Minute})
	must(t, first.Update(t.Context(), func(store.Tx) error {
		ctx, cancel := context.WithTimeout(t.Context(), 100*time.Millisecond)
		defer cancel()
		if err := put(ctx, second, storetest.Chat(1, "no")); !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("got %v", err)
		}
		return nil
	}))
}

func TestWriter_LockEndsWithConnection(t *testing.T) {
	address := pgtest.Database(t)
	first, second := openAt(t, Options{URL: address}), openAt(t, Options{URL: address})
	err := first.Update(t.Context(), func(w store.Tx) error {
		_, _ = w.(*tx).Exec(t.Context(), "SELECT pg_terminate_backend(pg_backend_pid())")
		return put(t.Context(), second, storetest.Chat(1, "yes"))
	})
	wantError(t, err, errs.Unavailable, "lost the connection", "")
	if n := count(t, first); n != 1 {
		t.Errorf("%d turns, want 1", n)
	}
}

func TestOpen_ConcurrentFirstOpen(t *testing.T) {
	address := pgtest.Database(t)
	var group sync.WaitGroup
	for range 6 {
		group.Go(func() {
			s, err := Open(t.Context(), Options{URL: address})
			if err == nil {
				err = s.Close()
			}
			if err != nil {
				t.Error(err)
			}
		})
	}
	group.Wait()
}

func TestMigrations_UpDownUp(t *testing.T) {
	s := openAt(t, Options{URL: pgtest.Database(t)})
	must(t, put(t.Context(), s, storetest.Chat(1, "lost")))
	tables := "SELECT count(*) FROM pg_tables WHERE schemaname = current_schema() AND tablename <> 'lens_migrations'"
	before := s.queryNumber(t, tables)
	for range 2 {
		must(t, s.withMigrations(func(p *goose.Provider) error { _, err := p.DownTo(t.Context(), 0); return err }))
		if n := s.queryNumber(t, tables); n != 0 {
			t.Errorf("%d tables are left", n)
		}
		must(t, s.withMigrations(func(p *goose.Provider) error { _, err := p.Up(t.Context()); return err }))
		if n := s.queryNumber(t, tables); n != before {
			t.Errorf("%d tables are there again, want %d", n, before)
		}
	}
	if n := s.queryNumber(t, "SELECT max(version_id) FROM lens_migrations"); n != int(migrations.Latest(migrations.Postgres)) {
		t.Errorf("version %d", n)
	}
	must(t, put(t.Context(), s, storetest.Chat(2, "kept")))
	if n := count(t, s); n != 2 {
		t.Errorf("%d turns, want 2", n)
	}
}
