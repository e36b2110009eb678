package sqlite

import (
	"bytes"
	"os"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"github.com/google/uuid"

	"lens/internal/errs"
	"lens/store"
)

const sessionsName = "sessions.db"

func putSession(tb testing.TB, opts Options, one store.Session) {
	tb.Helper()
	s, err := OpenSessions(tb.Context(), opts, sessionsName, true)
	must(tb, err)
	must(tb, s.Update(tb.Context(), func(tx store.SessionsTx) error { return tx.Put(tb.Context(), one) }))
	must(tb, s.Close())
}

func TestSessions_Encrypted(t *testing.T) {
	opts := Options{Dir: t.TempDir(), Keys: keysFor(t)}
	one := store.Session{ID: uuid.New(), Name: canary, Content: bytes.Repeat([]byte(canary), 1000), Updated: time.Unix(9, 0).UTC()}
	putSession(t, opts, one)
	text, err := os.ReadFile(filepath.Join(opts.Dir, sessionsName))
	must(t, err)
	if len(text) < len(one.Content) || bytes.Contains(text, []byte(canary)) || bytes.Contains(text, []byte("CREATE TABLE")) {
		t.Error("the file shows its content")
	}
	for _, to := range []Options{{Dir: t.TempDir(), Keys: keysFor(t)}, {Dir: t.TempDir()}, {Dir: t.TempDir(), Keys: keysFor(t)}} {
		must(t, CopySessions(t.Context(), opts, sessionsName, to, sessionsName))
		must(t, VerifySessions(t.Context(), to, sessionsName))
		s, err := OpenSessions(t.Context(), to, sessionsName, false)
		must(t, err)
		if kept, err := s.Session(t.Context(), one.ID); err != nil || kept.Name != canary || !bytes.Equal(kept.Content, one.Content) {
			t.Errorf("copied: got %v, %v", kept, err)
		}
		must(t, s.Close())
		opts = to
	}
	_, err = OpenSessions(t.Context(), Options{Dir: opts.Dir}, sessionsName, false)
	if errs.CodeOf(err) != errs.Invalid {
		t.Errorf("without the key: got %v", err)
	}
	_, err = OpenSessions(t.Context(), Options{Dir: opts.Dir, Keys: keysFor(t)}, sessionsName, false)
	if errs.CodeOf(err) != errs.Unavailable {
		t.Errorf("with another key: got %v", err)
	}
}

func TestSessions_CreatedTogether(t *testing.T) {
	for _, opts := range []Options{{Dir: t.TempDir()}, {Dir: t.TempDir(), Keys: keysFor(t)}} {
		var all sync.WaitGroup
		for range 8 {
			all.Go(func() { putSession(t, opts, store.Session{ID: uuid.New(), Content: []byte("{}")}) })
		}
		all.Wait()
		s, err := OpenSessions(t.Context(), opts, sessionsName, false)
		must(t, err)
		if all, err := s.List(t.Context(), store.SessionPage{Limit: 100}); err != nil || len(all) != 8 {
			t.Errorf("got %d sessions, %v", len(all), err)
		}
		must(t, s.Close())
	}
}

func TestSessions_CannotBeOpened(t *testing.T) {
	opts := Options{Dir: t.TempDir()}
	path := filepath.Join(opts.Dir, sessionsName)
	for name, c := range map[string]struct {
		make func()
		code errs.Code
	}{
		"missing": {func() {}, errs.NotFound},
		"empty":   {func() { must(t, os.WriteFile(path, nil, 0o600)) }, errs.NotFound},
		"newer": {func() {
			putSession(t, opts, store.Session{ID: uuid.New(), Content: []byte("{}")})
			s, err := OpenSessions(t.Context(), opts, sessionsName, false)
			must(t, err)
			must(t, s.conn.Exec("PRAGMA user_version = 2"))
			must(t, s.Close())
		}, errs.Invalid},
		"another program's": {func() {
			c, err := openConn(t.Context(), path, "", false)
			if err != nil {
				must(t, os.WriteFile(path, nil, 0o600))
				c, err = openConn(t.Context(), path, "", false)
			}
			must(t, err)
			must(t, c.Exec("CREATE TABLE mine (a); PRAGMA user_version = 0"))
			must(t, c.Close())
		}, errs.Invalid},
	} {
		_ = os.Remove(path)
		c.make()
		if _, err := OpenSessions(t.Context(), opts, sessionsName, false); errs.CodeOf(err) != c.code {
			t.Errorf("%s: got %v", name, err)
		}
	}
}

// TestSessions_UsesIndexes keeps a page, and what forgetting reads, from scanning all sessions.
func TestSessions_UsesIndexes(t *testing.T) {
	opts := Options{Dir: t.TempDir()}
	putSession(t, opts, store.Session{ID: uuid.New(), Content: []byte("{}")})
	s, err := OpenSessions(t.Context(), opts, sessionsName, false)
	must(t, err)
	defer s.Close()
	for name, want := range map[string]string{
		"Session":            "SEARCH sessions USING INDEX",
		"ListSessions":       "SEARCH sessions USING INDEX sessions_by_time (archived=? AND (updated,id)<(?,?))",
		"ListPinnedSessions": "SEARCH sessions USING INDEX sessions_by_pin (archived=? AND pinned=? AND (updated,id)<(?,?))",
		"ConcludedSessions":  "SCAN sessions USING INDEX sessions_concluded",
		"CitedTurns":         "SCAN session_citations",
		"SessionsCiting":     "SEARCH session_citations USING PRIMARY KEY (turn=?)",
	} {
		plan, err := s.conn.plan(queries.Get(name))
		must(t, err)
		if !bytes.HasPrefix([]byte(plan), []byte(want)) || bytes.Contains([]byte(plan), []byte("TEMP B-TREE")) {
			t.Errorf("%s: %s", name, plan)
		}
	}
}

func (c *conn) plan(sql string) (plan string, err error) {
	stmt, _, err := c.Prepare("EXPLAIN QUERY PLAN " + sql)
	if err != nil {
		return "", err
	}
	defer stmt.Close()
	for stmt.Step() {
		plan += stmt.ColumnText(3) + "\n"
	}
	return plan, stmt.Err()
}
