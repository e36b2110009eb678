package sqlite

import (
	"context"
	"errors"
	"io/fs"
	"strings"

	"github.com/ncruces/go-sqlite3"

	"lens/internal/diskspace"
	"lens/internal/errs"
	"lens/store/failure"
	"lens/store/termindex"
	"lens/store/vecindex"
)

var errForeignDatabase = errors.New("database belongs to another program")

// lowSpace is the free space, in bytes, below which a failed write is attributed to a full disk: SQLite says
// "disk I/O error" for many causes, and grows its log by more than this at once.
const lowSpace = 1 << 20

// freeSpace returns the bytes that can still be written in dir; tests replace it.
var freeSpace = diskspace.Free

// explain turns an error of the archive into an *errs.Error with a hint.
func (s *Store) explain(ctx context.Context, op string, err error) error {
	interrupted := func(err error) bool { return errors.Is(err, sqlite3.INTERRUPT) }
	return failure.Explain(ctx, "sqlite: "+op, err, interrupted, s.diagnose)
}

func (s *Store) diagnose(err error) *errs.Error {
	if e := s.diagnoseOwn(err); e != nil {
		return e
	}
	var code sqlite3.ErrorCode
	if !errors.As(err, &code) {
		return s.diagnoseFile(err)
	}
	if errors.Is(err, sqlite3.IOERR_DATA) || s.encryption != nil && code == sqlite3.NOTADB {
		return s.damaged()
	}
	return s.diagnoseCode(code)
}

// diagnoseCode explains SQLite's error codes.
func (s *Store) diagnoseCode(code sqlite3.ErrorCode) *errs.Error {
	switch code {
	case sqlite3.FULL:
		return s.full()
	case sqlite3.IOERR, sqlite3.CANTOPEN:
		if free, known := freeSpace(s.dir); known && free < lowSpace {
			return s.full()
		}
		return failure.New(
			errs.Unavailable, "cannot read or write the archive",
			"check the disk and the permissions of "+s.dir,
		)
	case sqlite3.READONLY, sqlite3.PERM, sqlite3.AUTH:
		return s.notWritable()
	case sqlite3.NOMEM, sqlite3.TOOBIG:
		return failure.New(
			errs.TooLarge, "a value is too large for the archive",
			"leave out the largest conversation; everything written before it is kept",
		)
	case sqlite3.NOTADB:
		return s.notAnArchive()
	case sqlite3.CORRUPT:
		return s.damaged()
	case sqlite3.BUSY, sqlite3.LOCKED:
		return failure.New(
			errs.Unavailable, "another program is using the archive",
			"close that program and try again",
		)
	}
	return failure.New(errs.Internal, "", "")
}

// diagnoseOwn explains the failures that this package detects itself.
func (s *Store) diagnoseOwn(err error) *errs.Error {
	switch {
	case errors.Is(err, errPanicked):
		return failure.New(
			errs.Internal, "the database engine failed",
			"run the command again, and report this if it happens again; committed data is safe",
		)
	case errors.Is(err, failure.ErrClosed) && s.locked.Load():
		return failure.New(errs.Locked, "the archive is locked", "run lens unlock")
	case errors.Is(err, errForeignDatabase):
		return s.notAnArchive()
	case errors.Is(err, termindex.ErrDamaged), errors.Is(err, vecindex.ErrDamaged), errors.Is(err, errBody):
		return s.damaged()
	}
	return failure.Diagnose(err)
}

// diagnoseFile explains the operating system's errors about files.
func (s *Store) diagnoseFile(err error) *errs.Error {
	var path *fs.PathError
	switch {
	case !errors.As(err, &path) || !strings.HasPrefix(path.Path, s.dir):
		return nil
	case errors.Is(err, fs.ErrNotExist):
		return failure.New(
			errs.NotFound, "there is no archive in "+s.dir,
			"run lens import PATH, or choose another folder with --data",
		)
	case errors.Is(err, fs.ErrPermission) || isReadOnlyVolume(err):
		return s.notWritable()
	case isDiskFull(err):
		return s.full()
	}
	return failure.New(
		errs.Unavailable, "cannot use the folder "+s.dir, "choose a writable folder with --data",
	)
}

func (s *Store) notAnArchive() *errs.Error {
	return failure.New(
		errs.Invalid, s.path()+" is not a Lens archive",
		"move it away, or choose another folder with --data",
	)
}

func (s *Store) damaged() *errs.Error {
	if s.encryption != nil {
		return failure.New(
			errs.Unavailable, "the archive is damaged, or encrypted with another key",
			"restore a backup of its whole folder; nothing was changed",
		)
	}
	return failure.New(
		errs.Unavailable, "the archive is damaged",
		"restore a backup, or move "+s.path()+" away and import the exports again",
	)
}

func (s *Store) full() *errs.Error {
	return failure.New(
		errs.Unavailable, "the disk is full",
		"free some space on the disk of "+s.dir+" and try again; nothing was lost",
	)
}

func (s *Store) notWritable() *errs.Error {
	return failure.New(
		errs.Unavailable, "cannot write to the folder "+s.dir,
		"grant yourself write permission, or choose another folder with --data",
	)
}
