package sqlite

import (
	"context"
	"errors"
	"io/fs"
	"strings"

	"github.com/ncruces/go-sqlite3"

	"lens/internal/diskspace"
	"lens/store"
	"lens/store/termindex"
	"lens/store/vecindex"
)

// What is wrong with an archive, or with asking it, that SQLite does not know.
var (
	errReadOnly = errors.New("archive was opened for reading only")
	errNotOurs  = errors.New("database was made by another program")
	errNewer    = errors.New("schema is newer than this program")
	errOlder    = errors.New("schema is older than this program")
)

// lowSpace is the free space, in bytes, below which a failed write is put down to a full disk: SQLite says "disk I/O error" for
// many things, and grows its log by more than this at once.
const lowSpace = 1 << 20

// freeSpace returns the bytes that may still be written where dir is; tests replace it.
var freeSpace = diskspace.Free

// explanation is what a person is told about a failure.
type explanation struct {
	code          store.Code
	message, hint string
}

// explain turns err into what a person can act on: a *store.Error. What is one already stays as it is, and so does what did not
// come from the archive at all (an error of the caller's own, passed through Update).
func (s *Store) explain(ctx context.Context, op string, err error) error {
	var known *store.Error
	switch {
	case err == nil:
		return nil
	case errors.As(err, &known):
		return err
	case ctx.Err() != nil && (errors.Is(err, sqlite3.INTERRUPT) || errors.Is(err, ctx.Err())):
		return &store.Error{Code: store.CodeUnavailable, Op: "sqlite: " + op, Err: ctx.Err()}
	}
	e, ok := s.diagnose(err)
	if !ok {
		return err
	}
	return &store.Error{Code: e.code, Op: "sqlite: " + op, Message: e.message, Hint: e.hint, Err: err}
}

func (s *Store) diagnose(err error) (explanation, bool) {
	if e, ok := s.diagnoseOwn(err); ok {
		return e, true
	}
	var code sqlite3.ErrorCode
	if !errors.As(err, &code) {
		return s.diagnoseFile(err)
	}
	switch {
	case errors.Is(err, sqlite3.IOERR_DATA), s.encryption != nil && code == sqlite3.NOTADB:
		return s.damaged(), true
	}
	switch code {
	case sqlite3.FULL:
		return s.full(), true
	case sqlite3.IOERR, sqlite3.CANTOPEN:
		if free, known := freeSpace(s.dir); known && free < lowSpace {
			return s.full(), true
		}
		return explanation{store.CodeUnavailable, "the archive cannot be read or written", "Look at the disk and the permissions of " + s.dir + "."}, true
	case sqlite3.READONLY, sqlite3.PERM, sqlite3.AUTH:
		return s.notWritable(), true
	case sqlite3.NOMEM, sqlite3.TOOBIG:
		return explanation{store.CodeTooLarge, "something is too large for the archive", "Leave the largest conversation out; what was written before it is kept."}, true
	case sqlite3.NOTADB:
		return explanation{store.CodeInvalid, s.path() + " is not an archive of Lens", "Move it away, or choose another folder."}, true
	case sqlite3.CORRUPT:
		return s.damaged(), true
	case sqlite3.BUSY, sqlite3.LOCKED:
		return explanation{store.CodeUnavailable, "the archive is in use by another program", "Close that program and try again."}, true
	}
	return explanation{code: store.CodeInternal}, true
}

// diagnoseOwn knows the failures that neither SQLite nor the operating system has anything to say about.
func (s *Store) diagnoseOwn(err error) (explanation, bool) {
	switch {
	case errors.Is(err, errPanicked):
		return explanation{store.CodeInternal, "the database engine failed", "Start again: what was committed is kept. Should it come back, report it."}, true
	case errors.Is(err, errClosed) && s.locked.Load():
		return explanation{store.CodeLocked, "the archive is locked", "Unlock it, and ask again."}, true
	case errors.Is(err, errClosed):
		return explanation{code: store.CodeUnavailable}, true
	case errors.Is(err, errReadOnly):
		return explanation{store.CodeInvalid, "this would change the archive, which was opened for reading", "Open it for writing; nothing was changed."}, true
	case errors.Is(err, errNotOurs):
		return explanation{store.CodeInvalid, s.path() + " is not an archive of Lens", "Move it away, or choose another folder."}, true
	case errors.Is(err, errNewer):
		return explanation{store.CodeInvalid, "the archive was made by a newer Lens", "Update this program."}, true
	case errors.Is(err, errNewerTerms):
		return explanation{store.CodeUnavailable, "the archive's keywords were indexed by a newer Lens", "Update this program. What only reads turns, like lens export, works."}, true
	case errors.Is(err, errOlderTerms):
		return explanation{store.CodeUnavailable, "the archive's keywords were indexed by an older Lens", "Open it once for writing, with lens import or lens embed: that indexes it again."}, true
	case errors.Is(err, errOlder):
		return explanation{store.CodeInvalid, "the archive was made by an older Lens", "Open it once for writing, with any command: that brings it up to date."}, true
	case errors.Is(err, termindex.ErrDamaged), errors.Is(err, vecindex.ErrDamaged), errors.Is(err, errBody):
		return s.damaged(), true
	}
	return explanation{}, false
}

// diagnoseFile knows what the operating system says about files.
func (s *Store) diagnoseFile(err error) (explanation, bool) {
	var path *fs.PathError
	switch {
	case !errors.As(err, &path) || !strings.HasPrefix(path.Path, s.dir):
		return explanation{}, false
	case errors.Is(err, fs.ErrNotExist):
		return explanation{store.CodeNotFound, "there is no archive in " + s.dir, "Import an export first, or name another folder."}, true
	case errors.Is(err, fs.ErrPermission) || isReadOnlyVolume(err):
		return s.notWritable(), true
	case isDiskFull(err):
		return s.full(), true
	}
	return explanation{store.CodeUnavailable, "the folder " + s.dir + " cannot be used", "Name a folder that can be written, or make room for it."}, true
}

func (s *Store) damaged() explanation {
	if s.encryption != nil {
		return explanation{store.CodeUnavailable, "the archive is damaged, or encrypted with another key", "Restore a backup of its whole folder; nothing was changed."}
	}
	return explanation{store.CodeUnavailable, "the archive is damaged", "Move " + s.path() + " away and import the exports again, or restore a backup."}
}

func (s *Store) full() explanation {
	return explanation{store.CodeUnavailable, "the disk is full", "Make room where " + s.dir + " is and try again: nothing was lost."}
}

func (s *Store) notWritable() explanation {
	return explanation{store.CodeUnavailable, "the folder " + s.dir + " cannot be written", "Give yourself the right to write there, or name another folder."}
}
