package vault

import (
	"encoding/binary"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"
	"time"

	"github.com/gofrs/flock"
)

const (
	attemptsName  = "lens.tries" // uint64 wrong tries in a row, int64 time of the last in nanoseconds since 1970; little endian
	attemptsBytes = 16
	maxAttempts   = 10 // with the PIN
)

// tries is the count of wrong tries, held by one process at a time.
type attempts struct {
	path string
	lock *flock.Flock // nil: the folder cannot be written, and nothing is counted
	unit time.Duration
	n    uint64
	last time.Time

	before struct { // count
		n    uint64
		last time.Time
	}
}

func (v *Vault) attempts() (*attempts, error) {
	t := &attempts{unit: v.opts.Delay, path: filepath.Join(v.dir, attemptsName), lock: fileLock(v.dir)}
	if err := t.lock.Lock(); err != nil {
		if errors.Is(err, fs.ErrPermission) || errors.Is(err, syscall.EROFS) {
			return &attempts{unit: v.opts.Delay}, nil // who may only read can take a copy, and try there
		}
		return nil, err
	}
	if b, err := os.ReadFile(t.path); err == nil && len(b) == attemptsBytes {
		t.n, t.last = binary.LittleEndian.Uint64(b), time.Unix(0, int64(binary.LittleEndian.Uint64(b[8:])))
	}
	return t, nil
}

// delay is how long must pass after the last try.
func (t *attempts) delay() time.Duration {
	if t.n == 0 {
		return 0
	}
	return t.unit << min(t.n-1, maxAttempts-1)
}

// notBefore takes a last try that is still to come, by a clock that was set back, for one of now.
func (t *attempts) clampToNow(now time.Time) {
	if t.last.After(now) {
		t.last = now
		_ = t.write() // at worst somebody must wait until then
	}
}

// wait is how much of it is left.
func (t *attempts) wait(now time.Time) time.Duration { return t.last.Add(t.delay()).Sub(now) }

// left is how many tries with the PIN there are; below 0 there was one too many.
func (t *attempts) left() int { return maxAttempts - int(min(t.n, maxAttempts+1)) }

// count writes down a try before it is made, so that ending the process does not undo it.
func (t *attempts) count(now time.Time) error {
	t.before.n, t.before.last = t.n, t.last
	t.n, t.last = t.n+1, now
	return t.write()
}

func (t *attempts) undo() {
	t.n, t.last = t.before.n, t.before.last
	_ = t.write() // at worst somebody must wait for nothing
}

func (t *attempts) reset() {
	t.n, t.last = 0, time.Unix(0, 0)
	_ = t.write() // at worst somebody must wait once too often
}

func (t *attempts) write() error {
	if t.lock == nil {
		return nil
	}
	b := binary.LittleEndian.AppendUint64(nil, t.n)
	return WriteFile(t.path, binary.LittleEndian.AppendUint64(b, uint64(t.last.UnixNano())))
}

func (t *attempts) close() {
	if t.lock != nil {
		_ = t.lock.Close()
	}
}
