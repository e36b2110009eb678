package app

import (
	"context"
	"errors"
	"sync"
	"testing"
	"time"

	"lens/cmd/internal/config"
	"lens/cmd/internal/explain"
	"lens/internal/errs"
)

func TestService_ArchiveComesLater(t *testing.T) {
	dir := t.TempDir()
	s := New(config.Config{DataDir: dir, Embedding: config.Embedding{Kind: config.None}}, "serve").Service()
	defer s.Close()
	if _, err := s.Engine(t.Context()); errs.CodeOf(err) != errs.NotFound {
		t.Fatalf("before the import: %v", err)
	}
	writer := New(config.Config{DataDir: dir}, "import")
	if _, err := writer.Writing(t.Context()); err != nil {
		t.Fatal(err)
	}
	if err := writer.Close(); err != nil {
		t.Fatal(err)
	}
	var all sync.WaitGroup
	for range 8 {
		all.Go(func() {
			if _, err := s.Engine(t.Context()); err != nil {
				t.Error(err)
			}
		})
	}
	all.Wait()
}

func TestService_WaitEndsWithContext(t *testing.T) {
	s := New(config.Config{DataDir: t.TempDir()}, "serve").Service()
	s.mu.Lock() // as if it were being opened
	ctx, cancel := context.WithTimeout(t.Context(), time.Millisecond)
	defer cancel()
	if _, err := s.Engine(ctx); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("got %v", err)
	}
	s.mu.Unlock()
	if _, err := s.Engine(t.Context()); errs.CodeOf(err) != errs.NotFound {
		t.Errorf("got %v", err)
	}
}

// sealed returns a folder with an encrypted archive.
func sealed(t *testing.T) string {
	t.Helper()
	l := lensIn(t, t.TempDir())
	fill(t, l)
	must(t, l.Mover.Encrypt(t.Context(), alone(onePhrase)))
	return l.cfg.DataDir
}

func TestService_AsksForPINOnce(t *testing.T) {
	l := lensIn(t, sealed(t))
	asked := 0
	l.Keys.OnSecret(func() (string, error) { asked++; return "no passphrase of this archive", nil })
	s := l.Service()
	for range 20 {
		if _, err := s.Engine(t.Context()); errs.CodeOf(err) != errs.Locked || explain.ForClient(err) != "" {
			t.Fatalf("got %v, told the client %q", err, explain.ForClient(err))
		}
	}
	if _, err := s.Sessions.Load(); errs.CodeOf(err) != errs.Locked || asked != 1 {
		t.Errorf("asked %d times; conversations: %v", asked, err)
	}
	must(t, l.Keys.Unlock(onePhrase))
	if _, err := s.Engine(t.Context()); err != nil {
		t.Error(err)
	}
}

func TestService_LensUnlock(t *testing.T) {
	dir := sealed(t)
	l, other := lensIn(t, dir), lensIn(t, dir)
	s := l.Service()
	chats := s.Sessions
	if _, err := chats.Load(); errs.CodeOf(err) != errs.Locked {
		t.Fatalf("before: %v", err)
	}
	for _, end := range []func() error{l.Keys.Lock, func() error { _, err := other.Keys.Drop(); return err }} {
		if err := other.Keys.Hold(onePhrase, time.Hour); err != nil {
			t.Skipf("SKIPPED: this system cannot hold a key: %v", err)
		}
		if all, err := chats.Load(); err != nil || len(all) != 1 {
			t.Errorf("unlocked: %d conversations, %v", len(all), err)
		}
		if _, err := s.Engine(t.Context()); err != nil {
			t.Errorf("unlocked: %v", err)
		}
		must(t, end())
	}
	must(t, l.Keys.Lock())
	if _, err := s.Engine(t.Context()); errs.CodeOf(err) != errs.Locked {
		t.Errorf("locked: %v", err)
	}
}
