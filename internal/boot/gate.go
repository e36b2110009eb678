package boot

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"github.com/gofrs/flock"

	"lens/store"
)

// gate is what every Lens over a data folder goes through, and one that encrypts or decrypts it closes behind itself: so nobody goes on with
// files that are no longer the archive.
type gate struct {
	lock *flock.Flock // nil: never asked for, or it cannot be had
}

// gateWait is how long a Lens waits for another that has the gate closed, or that is inside; tests are less patient.
var gateWait = 5 * time.Second

// enter goes in, together with others. Where there is no folder, or nothing may be written, nobody can close the gate either.
func (g *gate) enter(dir string) error {
	if g.lock != nil {
		return nil
	}
	if _, err := os.Stat(dir); err != nil {
		return nil
	}
	lock := flock.New(filepath.Join(dir, "lens.gate"), flock.SetPermissions(0o600))
	ctx, cancel := context.WithTimeout(context.Background(), gateWait)
	defer cancel()
	entered, err := lock.TryRLockContext(ctx, 20*time.Millisecond)
	switch {
	case errors.Is(err, context.DeadlineExceeded):
		return &store.Error{
			Code: store.CodeUnavailable, Op: "open archive", Message: "another Lens process is encrypting or decrypting the archive",
			Hint: "wait until it finishes", Err: err,
		}
	case err == nil && entered:
		g.lock = lock
	}
	return nil
}

// closeAlone shuts the gate, when nobody else is inside.
func (g *gate) closeAlone(dir string) error {
	g.leave()
	lock := flock.New(filepath.Join(dir, "lens.gate"), flock.SetPermissions(0o600))
	ctx, cancel := context.WithTimeout(context.Background(), gateWait)
	defer cancel()
	alone, err := lock.TryLockContext(ctx, 20*time.Millisecond)
	switch {
	case err == nil && alone:
		g.lock = lock
		return nil
	case errors.Is(err, context.DeadlineExceeded):
		return &store.Error{
			Code: store.CodeUnavailable, Op: "close gate", Message: "another Lens process has the archive open",
			Hint: "quit it and try again; nothing was changed", Err: err,
		}
	}
	return &store.Error{
		Code: store.CodeUnavailable, Op: "close gate", Message: "cannot lock the folder " + dir,
		Hint: "make sure that you can write there", Err: err,
	}
}

// tryAlone shuts the gate if that can be done at once; else, g is outside of it.
func (g *gate) tryAlone(dir string) bool {
	g.leave() // one's own place inside is in the way, too
	lock := flock.New(filepath.Join(dir, "lens.gate"), flock.SetPermissions(0o600))
	alone, err := lock.TryLock()
	if err != nil || !alone {
		_ = lock.Close()
		return false
	}
	g.lock = lock
	return true
}

func (g *gate) leave() {
	if g.lock != nil {
		_ = g.lock.Close() // as the end of the process would
		g.lock = nil
	}
}

// missing reports whether there is no such file.
func missing(path string) bool {
	_, err := os.Stat(path)
	return errors.Is(err, fs.ErrNotExist)
}
