// Package audit records every decision of the offline retriever as a line of JSON. Each line holds an HMAC that also
// covers the previous line's, so that a changed, removed or inserted line is detected. The head (number and MAC of the
// last line) is also stored outside the file, in as many places as the Keeper has, so that a truncated file is
// detected.
//
// The rules are:
//
//   - A line is on disk before Append returns. If Append fails, the caller must not act on the decision.
//   - A line has no field for a query or its results. Nothing in the log leads back to a query.
//   - A line that a crash left incomplete never counted, and the next Append drops it. Any other gap is a fault.
//   - A log with a fault is not continued.
//
// It detects changes by anyone who cannot replace what the Keeper stores, up to the stored head, even if they have the
// key: no other line has the same MAC. It does not detect an older log that was put back together with all its heads.
package audit

import (
	"bytes"
	"cmp"
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"sync"
	"time"

	"lens/internal/errs"

	"github.com/gofrs/flock"
)

// Keeper stores what must not be in the log itself.
type Keeper interface {
	// Key returns the secret of the chain, at least 32 bytes. fresh means that there is no chain yet; only then may Key
	// create one.
	Key(fresh bool) ([]byte, error)
	// Heads returns the stored heads, one for each place that is readable and has one.
	Heads() ([][]byte, error)
	// Keep replaces the stored head. It need not sync to disk, nor reach every place: a head may lag behind the log.
	Keep(head []byte) error
}

// Decision is what a line records. It says nothing about the query.
type Decision struct {
	Act       Act
	Reason    string // of a Revert; "" with Proceed
	QID       string // random; shared by all decisions about one query
	Mode      string // standard, strict, paranoid
	Mechanism string // what isolated the process from the network
	Probes    int    // kinds of socket that the kernel refused
	K         int
	Hits      int
}

// Act is the kind of a decision.
type Act string

// Proceed means that the query was answered, Revert that it was refused. Renewed is not a decision: it is the first
// line of a chain that replaces another.
const (
	Proceed Act = "proceed"
	Revert  Act = "revert"
	Renewed Act = "renewed"
)

// unavailable is the error of a log that cannot be continued or checked.
func unavailable(message, hint string, cause error) error {
	return &errs.Error{Code: errs.Unavailable, Op: "audit", Message: message, Hint: hint, Err: cause}
}

const verifyHint = "run lens audit verify"

// Log is an audit log in one file. It is safe for concurrent use, also by several processes.
type Log struct {
	path   string
	keeper Keeper
	now    func() time.Time

	mu   sync.Mutex
	lock *flock.Flock
}

// New returns the log at path. The first Append opens the file.
func New(path string, keeper Keeper) *Log {
	return &Log{path: path, keeper: keeper, now: time.Now, lock: flock.New(path+".lock", flock.SetPermissions(0o600))}
}

// lockTimeout bounds the wait for another process, which holds the log only during an fsync.
const lockTimeout = 5 * time.Second

// Append records a decision and returns its line number, from 1. Errors: unavailable. The caller must then not act on
// the decision, although its line may be in the log if only storing the head failed.
func (l *Log) Append(d Decision) (seq uint64, err error) {
	release, err := l.acquire(context.Background())
	if err != nil {
		return 0, err
	}
	defer release()
	return l.appendLocked(d)
}

// Renew starts a new chain, whose first line says so. It calls setAside to move the log and everything the Keeper
// stores out of the way; nothing can be appended meanwhile. Errors: unavailable, and those of setAside.
func (l *Log) Renew(ctx context.Context, setAside func() error) error {
	release, err := l.acquire(ctx)
	if err != nil {
		return err
	}
	defer release()
	if err := setAside(); err != nil {
		return err
	}
	_, err = l.appendLocked(Decision{Act: Renewed})
	return err
}

// acquire locks the log against other goroutines and processes until release is called.
func (l *Log) acquire(ctx context.Context) (release func(), err error) {
	ctx, cancel := context.WithTimeout(ctx, lockTimeout)
	defer cancel()
	l.mu.Lock()
	if _, err := l.lock.TryLockContext(ctx, time.Millisecond); err != nil {
		l.mu.Unlock()
		return nil, unavailable(
			"the audit log cannot be locked", "check that its folder is writable and that no other Lens process hangs", err,
		)
	}
	return func() {
		_ = l.lock.Unlock()
		l.mu.Unlock()
	}, nil
}

// appendLocked is Append with the lock held.
func (l *Log) appendLocked(d Decision) (uint64, error) {
	file, err := os.OpenFile(l.path, os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return 0, unavailable("the audit log cannot be opened", "check that its folder is writable", err)
	}
	defer file.Close()
	return l.append(file, d)
}

func (l *Log) append(file *os.File, d Decision) (uint64, error) {
	end, last, err := tail(file)
	if err != nil {
		return 0, err
	}
	kept, err := l.keeper.Heads()
	switch {
	case err != nil:
		return 0, unavailable("the head of the audit log cannot be read", verifyHint, err)
	case last == nil && len(kept) > 0:
		return 0, unavailable("the audit log is missing", verifyHint, nil)
	}
	key, err := l.keeper.Key(last == nil)
	if err != nil {
		return 0, unavailable("the key of the audit log cannot be read", verifyHint, err)
	}
	lineAt := func(seq uint64) (line, bool) { return findLine(file, end, seq) }
	prev, err := checkHeads(key, last, kept, lineAt)
	if err != nil {
		return 0, err
	}
	line := newLine(prev, d, l.now())
	text := line.seal(key)
	if err := write(file, end, append(text, '\n')); err != nil {
		return 0, unavailable(
			"the audit log cannot be written", "free some disk space, or check that its folder is writable", err,
		)
	}
	if err := l.keeper.Keep(sealHead(key, head{line.Seq, line.MAC})); err != nil {
		return 0, unavailable("the head of the audit log cannot be stored", verifyHint, err)
	}
	return line.Seq, nil
}

// checkHeads checks that the chain may be continued after its last line, nil if there is none, and returns its head. If
// the log has grown past a stored head, the line of that head must still be there: an older copy of the log may have
// been put back and continued.
func checkHeads(key []byte, last *line, kept [][]byte, lineAt func(seq uint64) (line, bool)) (head, error) {
	if last == nil {
		return head{}, nil
	}
	if !last.isSealed(key) {
		return head{}, unavailable("the last line of the audit log was changed", verifyHint, nil)
	}
	for _, sealed := range kept {
		h, ok := openHead(key, sealed)
		switch {
		case !ok:
			return head{}, unavailable("the head of the audit log was changed", verifyHint, nil)
		case last.Seq < h.Seq:
			return head{}, unavailable("the end of the audit log is missing", verifyHint, nil)
		}
		there, ok := *last, true
		if h.Seq < last.Seq {
			there, ok = lineAt(h.Seq)
		}
		if !ok || !there.isSealed(key) || there.MAC != h.MAC {
			return head{}, unavailable("lines of the audit log were replaced", verifyHint, nil)
		}
	}
	return head{last.Seq, last.MAC}, nil
}

// tail returns the last complete line of a log, nil if there is none, and the offset at which it ends.
func tail(file *os.File) (end int64, last *line, err error) {
	size, err := file.Seek(0, io.SeekEnd)
	if err != nil {
		return 0, nil, unavailable("the audit log cannot be read", verifyHint, err)
	}
	from := max(0, size-2*maxLine)
	text := make([]byte, size-from)
	if _, err := file.ReadAt(text, from); err != nil && !errors.Is(err, io.EOF) {
		return 0, nil, unavailable("the audit log cannot be read", verifyHint, err)
	}
	whole, begin := lastLine(text)
	if whole == nil && from == 0 {
		return 0, nil, nil // empty, or a single incomplete line
	}
	parsed, ok := parseLine(whole)
	if !ok {
		return 0, nil, unavailable("the last line of the audit log is malformed", verifyHint, nil)
	}
	return from + int64(begin+len(whole)) + 1, &parsed, nil
}

// findLine returns line number seq of a log that ends at end, or false if it is not in its place. It bisects the file,
// because a head may lag far behind.
func findLine(file io.ReaderAt, end int64, seq uint64) (line, bool) {
	window := make([]byte, 2*maxLine)
	for low, high := int64(0), end; low < high; { // the line begins in [low, high)
		mid := low + (high-low)/2
		from := max(0, mid-maxLine)
		n, _ := file.ReadAt(window[:min(int64(len(window)), end-from)], from) // unreadable bytes do not parse as a line
		text, at := window[:n], int(mid-from)
		if at >= n {
			return line{}, false
		}
		begin := bytes.LastIndexByte(text[:at], '\n') + 1
		length := bytes.IndexByte(text[begin:], '\n')
		if length < 0 {
			return line{}, false
		}
		l, ok := parseLine(text[begin : begin+length])
		switch {
		case !ok || l.Seq == seq:
			return l, ok
		case l.Seq < seq:
			low = from + int64(begin+length) + 1
		default:
			high = from + int64(begin)
		}
	}
	return line{}, false
}

// write writes a line at end, over whatever a crash left there, and syncs the file.
func write(file *os.File, end int64, text []byte) error {
	if size, err := file.Seek(0, io.SeekEnd); err != nil || size != end {
		if err := cmp.Or(err, file.Truncate(end)); err != nil {
			return err
		}
	}
	if _, err := file.WriteAt(text, end); err != nil {
		_ = file.Truncate(end) // the next Append would drop half a line anyway
		return err
	}
	if err := file.Sync(); err != nil || end > 0 {
		return err
	}
	return syncFolder(filepath.Dir(file.Name()))
}

// syncFolder syncs a folder after a file was created in it. Windows cannot do this and needs no help.
func syncFolder(dir string) error {
	if runtime.GOOS == "windows" {
		return nil
	}
	folder, err := os.Open(dir)
	if err != nil {
		return err
	}
	return errors.Join(folder.Sync(), folder.Close())
}

// seal returns the HMAC-SHA256 of text, in hex.
func seal(key, text []byte) string {
	mac := hmac.New(sha256.New, key)
	mac.Write(text)
	return hex.EncodeToString(mac.Sum(nil))
}
