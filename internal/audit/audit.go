// Package audit records every decision of the offline retriever in a file of JSON lines, each bound to the one before it by an HMAC, so that a
// line that was changed, taken out or put in is noticed. The last line is also remembered outside the file, in as many places as the Keeper has,
// so that a cut tail is noticed.
//
// The rules are:
//
//   - A line is on the disk before Append returns: whoever cannot record a decision must not act on it.
//   - A line has no field for what was asked or found. Nothing here can be led back to a query.
//   - A line that a crash tore in the middle never counted, and is dropped by the next Append. Whatever else is missing is a fault.
//   - A chain with a fault is not continued.
//
// It shows changes by whoever cannot replace what the Keeper keeps, up to the line that is kept, even where they have the key: no other line has
// the same MAC. Who can put an older log back together with all its heads is not noticed.
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
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"sync"
	"time"

	"github.com/gofrs/flock"
)

// Keeper keeps what must not be in the log itself.
type Keeper interface {
	// Key returns the secret of the chain, 32 bytes or more. fresh says that there is no chain yet, and only then may one be made.
	Key(fresh bool) ([]byte, error)
	// Heads returns what was last kept, of each place that can be read now and holds any.
	Heads() ([][]byte, error)
	// Keep replaces what is kept. It need not be on the disk when it returns, nor in every place: a head that lags behind the log is no fault.
	Keep(head []byte) error
}

// Decision is what is recorded. None of it tells what was asked.
type Decision struct {
	Act       Act
	Reason    string // of a Revert; "" with Proceed
	QID       string // random, the same for all decisions about one query
	Mode      string // standard, strict, paranoid
	Mechanism string // what kept the process from the network
	Probes    int    // sockets that were asked for and refused
	K         int
	Hits      int
}

// Act is what was decided.
type Act string

// A query is answered, or it is not. Renewed is no decision: it is the first line of a chain in whose place there was another.
const (
	Proceed Act = "proceed"
	Revert  Act = "revert"
	Renewed Act = "renewed"
)

// Error says why a chain cannot be continued.
type Error struct {
	Message, Hint string
	Err           error // the cause; may be nil
}

func (e *Error) Error() string {
	if e.Err == nil {
		return "audit: " + e.Message
	}
	return "audit: " + e.Message + ": " + e.Err.Error()
}

func (e *Error) Unwrap() error { return e.Err }

// ErrorCode is that of the faces for what cannot be done now.
func (e *Error) ErrorCode() string { return "unavailable" }

const inspect = "run lens audit verify"

// Log is one file. It is safe for concurrent use, also by several processes.
type Log struct {
	path   string
	keeper Keeper
	now    func() time.Time

	mu   sync.Mutex
	lock *flock.Flock
}

// New returns the log at path. Nothing is opened before the first Append.
func New(path string, keeper Keeper) *Log {
	return &Log{path: path, keeper: keeper, now: time.Now, lock: flock.New(path+".lock", flock.SetPermissions(0o600))}
}

// patience is how long another process may hold the log: it needs a fsync.
const patience = 5 * time.Second

// Append records a decision and returns the number of its line, from 1. Errors: *Error; then it must not be acted on, though its line may be
// there, where only the head could not be kept.
func (l *Log) Append(d Decision) (seq uint64, err error) {
	release, err := l.hold(context.Background())
	if err != nil {
		return 0, err
	}
	defer release()
	return l.record(d)
}

// Renew has setAside take away the log and all that the Keeper keeps, and begins a new chain, whose first line says so. Nobody else appends
// meanwhile. Errors: *Error, and that of setAside.
func (l *Log) Renew(ctx context.Context, setAside func() error) error {
	release, err := l.hold(ctx)
	if err != nil {
		return err
	}
	defer release()
	if err := setAside(); err != nil {
		return err
	}
	_, err = l.record(Decision{Act: Renewed})
	return err
}

// hold keeps everybody else from the log until it is released.
func (l *Log) hold(ctx context.Context) (release func(), err error) {
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	l.mu.Lock()
	if _, err := l.lock.TryLockContext(ctx, time.Millisecond); err != nil {
		l.mu.Unlock()
		return nil, &Error{Message: "the audit log cannot be locked", Hint: "see whether its folder can be written, and whether another lens hangs", Err: err}
	}
	return func() {
		_ = l.lock.Unlock()
		l.mu.Unlock()
	}, nil
}

// record is Append for who holds the log.
func (l *Log) record(d Decision) (uint64, error) {
	file, err := os.OpenFile(l.path, os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return 0, &Error{Message: "the audit log cannot be opened", Hint: "see whether its folder can be written", Err: err}
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
		return 0, &Error{Message: "the head of the audit log cannot be read", Hint: inspect, Err: err}
	case last == nil && len(kept) > 0:
		return 0, &Error{Message: "the audit log is gone", Hint: inspect}
	}
	key, err := l.keeper.Key(last == nil)
	if err != nil {
		return 0, &Error{Message: "the key of the audit log cannot be had", Hint: inspect, Err: err}
	}
	prev, err := follow(key, last, kept, func(seq uint64) (line, bool) { return find(file, end, seq) })
	if err != nil {
		return 0, err
	}
	line := newLine(prev, d, l.now())
	text := line.seal(key)
	if err := write(file, end, append(text, '\n')); err != nil {
		return 0, &Error{Message: "the audit log cannot be written", Hint: "make room on the disk, or see whether its folder can be written", Err: err}
	}
	if err := l.keeper.Keep(sealHead(key, head{line.Seq, line.MAC})); err != nil {
		return 0, &Error{Message: "the head of the audit log cannot be kept", Hint: inspect, Err: err}
	}
	return line.Seq, nil
}

// follow checks that the chain may be continued behind its last line, nil for none, and returns where. Of a log that has grown past a head, the
// line that was kept must still be there: one that was put back from earlier may have been continued since.
func follow(key []byte, last *line, kept [][]byte, find func(seq uint64) (line, bool)) (head, error) {
	if last == nil {
		return head{}, nil
	}
	if !last.isSealed(key) {
		return head{}, &Error{Message: "the last line of the audit log was changed", Hint: inspect}
	}
	for _, sealed := range kept {
		h, ok := openHead(key, sealed)
		switch {
		case !ok:
			return head{}, &Error{Message: "the head of the audit log was changed", Hint: inspect}
		case last.Seq < h.Seq:
			return head{}, &Error{Message: "the end of the audit log is missing", Hint: inspect}
		}
		there, ok := *last, true
		if h.Seq < last.Seq {
			there, ok = find(h.Seq)
		}
		if !ok || !there.isSealed(key) || there.MAC != h.MAC {
			return head{}, &Error{Message: "other lines stand in the audit log in place of those that were kept", Hint: inspect}
		}
	}
	return head{last.Seq, last.MAC}, nil
}

// tail returns the last whole line of a log, nil for none, and where it ends.
func tail(file *os.File) (end int64, last *line, err error) {
	size, err := file.Seek(0, io.SeekEnd)
	if err != nil {
		return 0, nil, &Error{Message: "the audit log cannot be read", Hint: inspect, Err: err}
	}
	from := max(0, size-2*maxLine)
	text := make([]byte, size-from)
	if _, err := file.ReadAt(text, from); err != nil && !errors.Is(err, io.EOF) {
		return 0, nil, &Error{Message: "the audit log cannot be read", Hint: inspect, Err: err}
	}
	whole, begin := lastLine(text)
	if whole == nil && from == 0 {
		return 0, nil, nil // empty, or one line that was torn
	}
	parsed, ok := parseLine(whole)
	if !ok {
		return 0, nil, &Error{Message: "the last line of the audit log is none", Hint: inspect}
	}
	return from + int64(begin+len(whole)) + 1, &parsed, nil
}

// find returns the line with a number, of a log that ends at end; false where it is not in its place. It halves the log until it is there: a
// head may lag far behind.
func find(file io.ReaderAt, end int64, seq uint64) (line, bool) {
	window := make([]byte, 2*maxLine)
	for low, high := int64(0), end; low < high; { // the line begins in [low, high)
		mid := low + (high-low)/2
		from := max(0, mid-maxLine)
		n, _ := file.ReadAt(window[:min(int64(len(window)), end-from)], from) // what could not be read is no line
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

// write puts a line at end, over what a crash left there, and onto the disk.
func write(file *os.File, end int64, text []byte) error {
	if size, err := file.Seek(0, io.SeekEnd); err != nil || size != end {
		if err := cmp.Or(err, file.Truncate(end)); err != nil {
			return err
		}
	}
	if _, err := file.WriteAt(text, end); err != nil {
		_ = file.Truncate(end) // half a line would be dropped anyway
		return err
	}
	if err := file.Sync(); err != nil || end > 0 {
		return err
	}
	return syncFolder(filepath.Dir(file.Name()))
}

// syncFolder has the disk learn of a new file. Where folders cannot be synced the system sees to it.
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

// isAbsent reports whether there is no file, as opposed to one that cannot be read.
func isAbsent(err error) bool { return errors.Is(err, fs.ErrNotExist) }
