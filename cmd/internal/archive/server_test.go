package archive

import (
	"context"
	"errors"
	"sync"
	"testing"
	"time"

	"lens/internal/errs"
	"lens/internal/vault/vaulttest"
)

func TestServer_ArchiveComesLater(t *testing.T) {
	dir := t.TempDir()
	s := archiveIn(t, dir).ForServer()
	if _, err := s.Engine(t.Context()); errs.CodeOf(err) != errs.NotFound {
		t.Fatalf("before the import: %v", err)
	}
	writer := archiveIn(t, dir)
	_, err := writer.Writing(t.Context())
	must(t, err)
	must(t, writer.Close())
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

func TestServer_WaitEndsWithContext(t *testing.T) {
	s := archiveIn(t, t.TempDir()).ForServer()
	s.archive.mu.Lock() // as if it were being opened
	ctx, cancel := context.WithTimeout(t.Context(), time.Millisecond)
	defer cancel()
	if _, err := s.Engine(ctx); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("got %v", err)
	}
	s.archive.mu.Unlock()
	if _, err := s.Engine(t.Context()); errs.CodeOf(err) != errs.NotFound {
		t.Errorf("got %v", err)
	}
}

// sealed returns a folder with an encrypted archive.
func sealed(t *testing.T) string {
	t.Helper()
	l := archiveIn(t, t.TempDir())
	l.encrypt(t)
	return l.opts.DataDir
}

func TestServer_AsksForPINOnce(t *testing.T) {
	l := archiveIn(t, sealed(t))
	asked := 0
	l.keys.OnSecret(func() (string, error) { asked++; return "no passphrase of this archive", nil })
	s := l.ForServer()
	for range 20 {
		if _, err := s.Engine(t.Context()); errs.CodeOf(err) != errs.Locked {
			t.Fatalf("got %v", err)
		} else if message, hint := errs.ForClient(err); message+hint != "" {
			t.Fatalf("the client gets %q, %q", message, hint)
		}
	}
	if err := l.StateFile().Save(1); errs.CodeOf(err) != errs.Locked || asked != 1 {
		t.Errorf("asked %d times; state: %v", asked, err)
	}
	must(t, l.keys.Unlock(vaulttest.Passphrase))
	if _, err := s.Engine(t.Context()); err != nil {
		t.Error(err)
	}
}

func TestServer_LensUnlock(t *testing.T) {
	dir := sealed(t)
	l, other := archiveIn(t, dir), archiveIn(t, dir)
	s := l.ForServer()
	if err := l.StateFile().Save(1); errs.CodeOf(err) != errs.Locked {
		t.Fatalf("before: %v", err)
	}
	for _, end := range []func() error{l.keys.Lock, func() error { _, err := other.keys.Drop(); return err }} {
		if err := other.keys.Hold(vaulttest.Passphrase, time.Hour); err != nil {
			t.Skipf("SKIPPED: this system cannot hold a key: %v", err)
		}
		if err := l.StateFile().Save(1); err != nil {
			t.Errorf("unlocked: state: %v", err)
		}
		if _, err := s.Engine(t.Context()); err != nil {
			t.Errorf("unlocked: %v", err)
		}
		must(t, end())
	}
	must(t, l.keys.Lock())
	if _, err := s.Engine(t.Context()); errs.CodeOf(err) != errs.Locked {
		t.Errorf("locked: %v", err)
	}
}

func TestServer_ReadyIsWarm(t *testing.T) {
	dir := t.TempDir()
	s := archiveIn(t, dir).ForServer()
	if err := s.Ready(t.Context()); errs.CodeOf(err) != errs.NotFound {
		t.Errorf("without an archive: %v", err)
	}
	writer := archiveIn(t, dir)
	_, err := writer.Writing(t.Context())
	must(t, err)
	must(t, writer.Close())
	must(t, s.Ready(t.Context()))
	engine, err := s.Engine(t.Context())
	must(t, err)
	if s.warm.Load() != engine {
		t.Error("ready, but not warm")
	}
	gone, cancel := context.WithCancel(t.Context())
	cancel()
	s.warm.Store(nil)
	if err := s.Ready(gone); err == nil || !errors.Is(err, context.Canceled) {
		t.Errorf("for a client that has gone: %v", err)
	}
	must(t, s.Ready(t.Context())) // the work goes on
}

// A server warms up at the start and after each lens unlock.
func TestServer_KeepReady(t *testing.T) {
	l := archiveIn(t, sealed(t))
	s := l.ForServer()
	ctx, stop := context.WithCancel(t.Context())
	var watching sync.WaitGroup
	watching.Go(func() { s.KeepReady(ctx) })
	defer watching.Wait()
	defer stop()
	for range 2 {
		if s.isWarm() {
			t.Error("warm while it is locked")
		}
		must(t, l.keys.Unlock(vaulttest.Passphrase))
		for deadline := time.Now().Add(time.Minute); !s.isWarm() && time.Now().Before(deadline); {
			time.Sleep(time.Millisecond)
		}
		if !s.isWarm() {
			t.Error("not warm after unlocking")
		}
		must(t, l.keys.Lock())
	}
}
