package sqlite

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"lens/internal/errs"

	"github.com/gofrs/flock"
)

const (
	lockWait   = 5 * time.Second        // how long a second writer waits for the first
	lockRetry  = 10 * time.Millisecond  // the interval of its attempts
	lockLinger = 300 * time.Millisecond // how long the lock is held after a commit
)

// writerLock lets one process write at a time and names it to the others. It holds the lock for a
// moment after each commit, so that an import keeps it from its first batch to its last.
type writerLock struct {
	file       *flock.Flock
	holderFile string // names the holder; the lock file itself is unreadable on Windows
	verb       string
	wait       time.Duration
	linger     time.Duration // see lockLinger

	mu     sync.Mutex
	held   bool
	inUse  bool
	expiry *time.Timer
}

func newWriterLock(dir, verb string, wait time.Duration) *writerLock {
	return &writerLock{
		file:       flock.New(filepath.Join(dir, "lens.lock"), flock.SetPermissions(0o600)),
		holderFile: filepath.Join(dir, "lens.writer"),
		verb:       verb,
		wait:       cmp.Or(wait, lockWait),
		linger:     lockLinger,
	}
}

// take acquires the lock for this process, or returns an error that names the holder.
func (l *writerLock) take(ctx context.Context) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.expiry != nil {
		l.expiry.Stop()
	}
	if !l.held {
		if err := l.acquire(ctx); err != nil {
			return err
		}
	}
	l.held, l.inUse = true, true
	return nil
}

func (l *writerLock) acquire(ctx context.Context) error {
	waitCtx, cancel := context.WithTimeout(ctx, l.wait)
	defer cancel()
	_, err := l.file.TryLockContext(waitCtx, lockRetry)
	switch {
	case ctx.Err() != nil:
		return ctx.Err()
	case errors.Is(err, context.DeadlineExceeded):
		return l.busyError()
	case err != nil:
		return err
	}
	if err := os.WriteFile(l.holderFile, fmt.Appendf(nil, "%d %s\n", os.Getpid(), l.verb), 0o600); err != nil {
		return errors.Join(err, l.file.Unlock()) // otherwise no process could write until this one ends
	}
	return nil
}

// releaseLater releases the lock after l.linger unless it is taken again before.
func (l *writerLock) releaseLater() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.inUse = false
	if l.expiry == nil {
		l.expiry = time.AfterFunc(l.linger, func() { _ = l.expire() })
		return
	}
	l.expiry.Reset(l.linger)
}

func (l *writerLock) expire() error {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.inUse || !l.held {
		return nil
	}
	l.held = false
	_ = os.Remove(l.holderFile) // best effort: the next writer overwrites a stale file
	return l.file.Unlock()
}

func (l *writerLock) close() error {
	l.mu.Lock()
	if l.expiry != nil {
		l.expiry.Stop()
	}
	l.inUse = false
	l.mu.Unlock()
	return l.expire()
}

// busyError is the error of a writer that has waited long enough.
func (l *writerLock) busyError() error {
	return &errs.Error{
		Code: errs.Unavailable, Op: "sqlite: update",
		Message: "the archive is being written by " + l.holder(),
		Hint:    "wait until it finishes, or end it, and try again",
	}
}

func (l *writerLock) holder() string {
	note, err := os.ReadFile(l.holderFile)
	pid, verb, _ := strings.Cut(strings.TrimSpace(string(note)), " ")
	switch {
	case err != nil || pid == "":
		return "another program"
	case verb == "": // the explorer
		return fmt.Sprintf("`lens` (process %s)", pid)
	}
	return fmt.Sprintf("`lens %s` (process %s)", verb, pid)
}
