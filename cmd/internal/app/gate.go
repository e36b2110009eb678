package app

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"lens/internal/errs"

	"github.com/gofrs/flock"
)

// gate guards the data folder: every Lens that uses the folder holds the lock shared, and encryption or decryption
// holds it exclusively, so that no process keeps using files that are no longer the archive.
type gate struct {
	lock *flock.Flock // nil: not requested, or not available
}

// gateWait is how long a Lens waits for others to release the lock. Tests wait less.
var gateWait = 5 * time.Second

// enter takes the lock shared. It does nothing if the folder does not exist or cannot be written: then no process can
// take the lock exclusively either.
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
		return &errs.Error{
			Code: errs.Unavailable, Op: "open archive",
			Message: "another Lens process is encrypting or decrypting the archive",
			Hint:    "wait until it finishes", Err: err,
		}
	case err == nil && entered:
		g.lock = lock
	}
	return nil
}

// closeAlone takes the lock exclusively, waiting for others to release it.
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
		return &errs.Error{
			Code: errs.Unavailable, Op: "close gate", Message: "another Lens process has the archive open",
			Hint: "quit it and try again; nothing was changed", Err: err,
		}
	}
	return &errs.Error{
		Code: errs.Unavailable, Op: "close gate", Message: "cannot lock the folder " + dir,
		Hint: "make sure that you can write there", Err: err,
	}
}

// tryAlone takes the lock exclusively if it is free. Otherwise g holds no lock afterwards.
func (g *gate) tryAlone(dir string) bool {
	g.leave() // the own shared lock would block it, too
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
		_ = g.lock.Close() // closing releases the lock
		g.lock = nil
	}
}

// missing reports whether path does not exist.
func missing(path string) bool {
	_, err := os.Stat(path)
	return errors.Is(err, fs.ErrNotExist)
}
