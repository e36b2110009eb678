package sqlite

import (
	"context"
	"errors"
	"io/fs"
	"strings"

	"github.com/ncruces/go-sqlite3"

	"lens/internal/diskspace"
	"lens/internal/errs"
	"lens/store/termindex"
	"lens/store/vecindex"
)

// Failures that neither SQLite nor the operating system reports.
var (
	errReadOnly        = errors.New("store is read-only")
	errForeignDatabase = errors.New("database belongs to another program")
	errNewer           = errors.New("schema is newer than this program")
	errOlder           = errors.New("schema is older than this program")
)

// lowSpace is the free space, in bytes, below which a failed write is attributed to a full disk: SQLite says
// "disk I/O error" for many causes, and grows its log by more than this at once.
const lowSpace = 1 << 20

// freeSpace returns the bytes that can still be written in dir; tests replace it.
var freeSpace = diskspace.Free

// explanation is the part of a errs.Error that depends on the cause.
type explanation struct {
	code          errs.Code
	message, hint string
}

// explain turns err into a *errs.Error with a hint. It leaves two kinds of errors as they are: a *errs.Error,
// and an error that did not come from the archive (one of the caller's own, passed through Update).
func (s *Store) explain(ctx context.Context, op string, err error) error {
	var explained *errs.Error
	switch {
	case err == nil:
		return nil
	case errors.As(err, &explained):
		return err
	case ctx.Err() != nil && (errors.Is(err, sqlite3.INTERRUPT) || errors.Is(err, ctx.Err())):
		return &errs.Error{Code: errs.Unavailable, Op: "sqlite: " + op, Err: ctx.Err()}
	}
	e, ok := s.diagnose(err)
	if !ok {
		return err
	}
	return &errs.Error{Code: e.code, Op: "sqlite: " + op, Message: e.message, Hint: e.hint, Err: err}
}

func (s *Store) diagnose(err error) (explanation, bool) {
	if e, ok := s.diagnoseOwn(err); ok {
		return e, true
	}
	var code sqlite3.ErrorCode
	if !errors.As(err, &code) {
		return s.diagnoseFile(err)
	}
	if errors.Is(err, sqlite3.IOERR_DATA) || s.encryption != nil && code == sqlite3.NOTADB {
		return s.damaged(), true
	}
	return s.diagnoseCode(code), true
}

// diagnoseCode explains SQLite's error codes.
func (s *Store) diagnoseCode(code sqlite3.ErrorCode) explanation {
	switch code {
	case sqlite3.FULL:
		return s.full()
	case sqlite3.IOERR, sqlite3.CANTOPEN:
		if free, known := freeSpace(s.dir); known && free < lowSpace {
			return s.full()
		}
		return explanation{
			errs.Unavailable, "cannot read or write the archive",
			"check the disk and the permissions of " + s.dir,
		}
	case sqlite3.READONLY, sqlite3.PERM, sqlite3.AUTH:
		return s.notWritable()
	case sqlite3.NOMEM, sqlite3.TOOBIG:
		return explanation{
			errs.TooLarge, "a value is too large for the archive",
			"leave out the largest conversation; everything written before it is kept",
		}
	case sqlite3.NOTADB:
		return s.notAnArchive()
	case sqlite3.CORRUPT:
		return s.damaged()
	case sqlite3.BUSY, sqlite3.LOCKED:
		return explanation{
			errs.Unavailable, "another program is using the archive",
			"close that program and try again",
		}
	}
	return explanation{code: errs.Internal}
}

// diagnoseOwn explains the failures that this package detects itself.
func (s *Store) diagnoseOwn(err error) (explanation, bool) {
	switch {
	case errors.Is(err, errPanicked):
		return explanation{
			errs.Internal, "the database engine failed",
			"run the command again, and report this if it happens again; committed data is safe",
		}, true
	case errors.Is(err, errClosed) && s.locked.Load():
		return explanation{errs.Locked, "the archive is locked", "run lens unlock"}, true
	case errors.Is(err, errClosed):
		return explanation{code: errs.Unavailable}, true
	case errors.Is(err, errReadOnly):
		return explanation{
			errs.Invalid, "the archive is open for reading only",
			"open it for writing; nothing was changed",
		}, true
	case errors.Is(err, errForeignDatabase):
		return s.notAnArchive(), true
	case errors.Is(err, errNewer):
		return explanation{errs.Invalid, "the archive was made by a newer Lens", "update Lens"}, true
	case errors.Is(err, errNewerTerms):
		return explanation{
			errs.Unavailable, "the archive's keywords were indexed by a newer Lens",
			"update Lens; commands that only read turns, such as lens export, still work",
		}, true
	case errors.Is(err, errOlderTerms):
		return explanation{
			errs.Unavailable, "the archive's keywords were indexed by an older Lens",
			"run lens import or lens embed once to index it again",
		}, true
	case errors.Is(err, errOlder):
		return explanation{
			errs.Invalid, "the archive was made by an older Lens",
			"run lens import or lens embed once to upgrade it",
		}, true
	case errors.Is(err, termindex.ErrDamaged), errors.Is(err, vecindex.ErrDamaged), errors.Is(err, errBody):
		return s.damaged(), true
	}
	return explanation{}, false
}

// diagnoseFile explains the operating system's errors about files.
func (s *Store) diagnoseFile(err error) (explanation, bool) {
	var path *fs.PathError
	switch {
	case !errors.As(err, &path) || !strings.HasPrefix(path.Path, s.dir):
		return explanation{}, false
	case errors.Is(err, fs.ErrNotExist):
		return explanation{
			errs.NotFound, "there is no archive in " + s.dir,
			"run lens import PATH, or choose another folder with --data",
		}, true
	case errors.Is(err, fs.ErrPermission) || isReadOnlyVolume(err):
		return s.notWritable(), true
	case isDiskFull(err):
		return s.full(), true
	}
	return explanation{
		errs.Unavailable, "cannot use the folder " + s.dir, "choose a writable folder with --data",
	}, true
}

func (s *Store) notAnArchive() explanation {
	return explanation{
		errs.Invalid, s.path() + " is not a Lens archive",
		"move it away, or choose another folder with --data",
	}
}

func (s *Store) damaged() explanation {
	if s.encryption != nil {
		return explanation{
			errs.Unavailable, "the archive is damaged, or encrypted with another key",
			"restore a backup of its whole folder; nothing was changed",
		}
	}
	return explanation{
		errs.Unavailable, "the archive is damaged",
		"restore a backup, or move " + s.path() + " away and import the exports again",
	}
}

func (s *Store) full() explanation {
	return explanation{
		errs.Unavailable, "the disk is full",
		"free some space on the disk of " + s.dir + " and try again; nothing was lost",
	}
}

func (s *Store) notWritable() explanation {
	return explanation{
		errs.Unavailable, "cannot write to the folder " + s.dir,
		"grant yourself write permission, or choose another folder with --data",
	}
}
