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
	attemptsName  = "lens.tries" // uint64 wrong attempts in a row, int64 Unix nanoseconds of the last; little endian
	attemptsBytes = 16
	maxAttempts   = 10 // with the PIN
)

// attempts counts wrong attempts. One process at a time holds it.
type attempts struct {
	path string
	lock *flock.Flock // nil: the folder is read-only, and nothing is counted
	unit time.Duration
	n    uint64
	last time.Time

	before struct { // for undo
		n    uint64
		last time.Time
	}
}

func (v *Vault) attempts() (*attempts, error) {
	t := &attempts{unit: v.opts.Delay, path: filepath.Join(v.dir, attemptsName), lock: fileLock(v.dir)}
	if err := t.lock.Lock(); err != nil {
		if errors.Is(err, fs.ErrPermission) || errors.Is(err, syscall.EROFS) {
			return &attempts{unit: v.opts.Delay}, nil // a reader could copy the folder and try there
		}
		return nil, err
	}
	if b, err := os.ReadFile(t.path); err == nil && len(b) == attemptsBytes {
		t.n, t.last = binary.LittleEndian.Uint64(b), time.Unix(0, int64(binary.LittleEndian.Uint64(b[8:])))
	}
	return t, nil
}

// delay returns how long to wait after the last attempt.
func (t *attempts) delay() time.Duration {
	if t.n == 0 {
		return 0
	}
	return t.unit << min(t.n-1, maxAttempts-1)
}

// clampToNow treats a last attempt in the future, which means that the clock was set back, as one made now.
func (t *attempts) clampToNow(now time.Time) {
	if t.last.After(now) {
		t.last = now
		_ = t.write() // if it fails, the user waits longer
	}
}

// wait returns how much of the delay remains.
func (t *attempts) wait(now time.Time) time.Duration { return t.last.Add(t.delay()).Sub(now) }

// left returns how many attempts with the PIN remain; it is negative when the PIN is disabled.
func (t *attempts) left() int { return maxAttempts - int(min(t.n, maxAttempts+1)) }

// count records an attempt before it is made, so that killing the process does not undo it.
func (t *attempts) count(now time.Time) error {
	t.before.n, t.before.last = t.n, t.last
	t.n, t.last = t.n+1, now
	return t.write()
}

func (t *attempts) undo() {
	t.n, t.last = t.before.n, t.before.last
	_ = t.write() // if it fails, the user waits once for nothing
}

func (t *attempts) reset() {
	t.n, t.last = 0, time.Unix(0, 0)
	_ = t.write() // if it fails, the user waits once for nothing
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
