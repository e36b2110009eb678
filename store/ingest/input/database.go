package input

import (
	"bytes"
	"context"
	"errors"
	"io"
	"os"
	"strconv"

	"lens/internal/errs"
	"lens/store/ingest/source"
)

// A database is looked at where it is, and read from a copy, together with its write-ahead log: the program that it
// belongs to may go on writing. Nothing is written beside it, and no lock is taken.

// Source returns f as parsers read it. r has its content: it is what Open returns, or passes that on.
func (f *File) Source(ctx context.Context, r io.Reader) *source.File {
	s := &source.File{Reader: r, Name: f.Name}
	if f.Piped {
		s.Name = ""
	}
	if f.folder != nil {
		s.Folder = f.folder
	}
	if f.isDatabase {
		s.Database = func() (*source.Database, error) { return f.database(ctx, r) }
	}
	return s
}

// database opens a copy. It copies again if the file was changed meanwhile.
func (f *File) database(ctx context.Context, main io.Reader) (*source.Database, error) {
	const attempts = 3
	for range attempts {
		before := f.state()
		d, err := f.copied(ctx, main)
		if ctx.Err() != nil || bytes.Equal(before, f.state()) {
			return d, err
		}
		if err == nil {
			err = d.Close()
		}
		again, failure := f.Open(ctx)
		if failure != nil {
			return nil, errors.Join(failure, err)
		}
		defer again.Close()
		main = again
	}
	return nil, &errs.Error{
		Code: errs.Unavailable, Op: "input: read a database", Message: "the database keeps changing",
		Hint: "close the program that it belongs to, then import it again",
	}
}

// state returns what changes when a database or its log is written to.
func (f *File) state() []byte {
	const header = 100
	log, _ := f.log()
	var all []byte
	for _, file := range []*File{f, log} {
		if file == nil {
			continue
		}
		r, err := file.open()
		if err != nil {
			continue
		}
		head := make([]byte, header)
		n, _ := io.ReadFull(r, head)
		all = append(all, head[:n]...)
		if sized, ok := r.(*os.File); ok {
			if info, err := sized.Stat(); err == nil {
				all = strconv.AppendInt(all, info.Size(), 10)
				all = strconv.AppendInt(all, info.ModTime().UnixNano(), 10)
			}
		}
		_ = r.Close()
	}
	return all
}

// copied opens a copy of a database. The log comes first: what it has may be moved to the file meanwhile.
func (f *File) copied(ctx context.Context, main io.Reader) (*source.Database, error) {
	var wal, copied *spool
	if log, ok := f.log(); ok {
		in, err := log.Open(ctx)
		if err != nil {
			return nil, err
		}
		defer in.Close()
		if wal, err = spoolOf(ctx, f.spool, in, log.Size); err != nil {
			return nil, err
		}
	}
	copied, err := spoolOf(ctx, f.spool, main, f.Size)
	if err != nil {
		return nil, errors.Join(err, wal.Close())
	}
	d, err := openDatabase(ctx, copied, wal)
	if err != nil {
		return nil, errors.Join(err, copied.Close(), wal.Close())
	}
	d.Own(copied, wal)
	return d, nil
}

func openDatabase(ctx context.Context, main, wal *spool) (*source.Database, error) {
	if wal == nil {
		return source.OpenDatabase(ctx, main, main.size, nil, 0)
	}
	return source.OpenDatabase(ctx, main, main.size, wal, wal.size)
}

// log returns the write-ahead log beside a database.
func (f *File) log() (*File, bool) {
	if f.folder == nil {
		return nil, false
	}
	log, ok := f.folder.files[f.Name+source.LogSuffix]
	if !ok {
		return nil, false
	}
	return &log, true
}

// peek opens a database to look at its tables: where it is, or, in a zip, a copy.
func (f *finder) peek(file File) (*source.Database, error) {
	r, err := file.open()
	if err != nil {
		return nil, pathError(err)
	}
	main, ok := r.(io.ReaderAt)
	if !ok {
		defer r.Close()
		return file.database(f.ctx, r)
	}
	var wal io.ReaderAt
	var walSize int64
	own := []io.Closer{r}
	if log, ok := file.log(); ok {
		if in, err := log.open(); err == nil {
			own = append(own, in)
			wal, _ = in.(io.ReaderAt)
			walSize = log.Size
		}
	}
	if wal == nil {
		walSize = 0
	}
	d, err := source.OpenDatabase(f.ctx, main, file.Size, wal, walSize)
	if err != nil {
		for _, c := range own {
			_ = c.Close()
		}
		return nil, err
	}
	d.Own(own...)
	return d, nil
}
