package datadir

import (
	"cmp"
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"lens/internal/errs"

	"github.com/gofrs/flock"
)

// dirLock guards the data folder: every process that uses the folder holds it shared, and a change of the encryption
// holds it exclusively, so that no process keeps using files that are no longer the archive.
type dirLock struct {
	dir  string
	wait time.Duration // for others to release it; 0: 5 s
	held *flock.Flock  // nil: not requested, or not available
}

func (l *dirLock) file() *flock.Flock {
	return flock.New(filepath.Join(l.dir, "lens.gate"), flock.SetPermissions(0o600))
}

func (l *dirLock) timeout() (context.Context, context.CancelFunc) {
	return context.WithTimeout(context.Background(), cmp.Or(l.wait, 5*time.Second))
}

// share takes the lock shared. It does nothing if the folder does not exist or cannot be written: then no process can
// take the lock exclusively either.
func (l *dirLock) share() error {
	if l.held != nil || missing(l.dir) {
		return nil
	}
	file := l.file()
	ctx, cancel := l.timeout()
	defer cancel()
	shared, err := file.TryRLockContext(ctx, 20*time.Millisecond)
	switch {
	case errors.Is(err, context.DeadlineExceeded):
		return &errs.Error{
			Code: errs.Unavailable, Op: "open archive",
			Message: "another Lens process is encrypting, decrypting or restoring the archive",
			Hint:    "wait until it finishes", Err: err,
		}
	case err == nil && shared:
		l.held = file
	}
	return nil
}

// exclude takes the lock exclusively, waiting for others to release it.
func (l *dirLock) exclude() error {
	l.release()
	file := l.file()
	ctx, cancel := l.timeout()
	defer cancel()
	exclusive, err := file.TryLockContext(ctx, 20*time.Millisecond)
	switch {
	case err == nil && exclusive:
		l.held = file
		return nil
	case errors.Is(err, context.DeadlineExceeded):
		return &errs.Error{
			Code: errs.Unavailable, Op: "close gate", Message: "another Lens process has the archive open",
			Hint: "quit it and try again; nothing was changed", Err: err,
		}
	}
	return &errs.Error{
		Code: errs.Unavailable, Op: "close gate", Message: "cannot lock the folder " + l.dir,
		Hint: "make sure that you can write there", Err: err,
	}
}

// tryExclude takes the lock exclusively if it is free. Otherwise l is not held afterwards.
func (l *dirLock) tryExclude() bool {
	l.release() // the own shared lock would block it, too
	file := l.file()
	exclusive, err := file.TryLock()
	if err != nil || !exclusive {
		_ = file.Close()
		return false
	}
	l.held = file
	return true
}

func (l *dirLock) release() {
	if l.held != nil {
		_ = l.held.Close() // closing releases the lock
		l.held = nil
	}
}

// missing reports whether path does not exist.
func missing(path string) bool {
	_, err := os.Stat(path)
	return errors.Is(err, fs.ErrNotExist)
}
