package models

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"hash"
	"io"
	"os"
	"path/filepath"

	"lens/internal/diskspace"
	"lens/internal/errs"
)

// Progress receives the bytes done so far and the total, 0 where that is unknown.
type Progress func(done, total int64)

// partial returns the folder in which a model's files are gathered, creating it where needed.
func (f Folder) partial(m *Model) (string, error) {
	dir := filepath.Join(string(f), "."+m.Name+".partial")
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return "", cannotWrite(err)
	}
	return dir, nil
}

// PartialBytes returns how many bytes an earlier pull of a model has left to resume from.
func (f Folder) PartialBytes(m *Model) int64 {
	total := int64(0)
	for _, file := range m.Files {
		if info, err := os.Stat(filepath.Join(string(f), "."+m.Name+".partial", file.Name)); err == nil {
			total += info.Size()
		}
	}
	return total
}

// publish renames the gathered folder into place, replacing an older one, which stays if this fails.
func (f Folder) publish(m *Model, partial string) error {
	old := partial + ".old"
	if err := os.RemoveAll(old); err != nil {
		return cannotWrite(err)
	}
	if err := os.Rename(f.Path(m.Name), old); err != nil && !errors.Is(err, os.ErrNotExist) {
		return cannotWrite(err)
	}
	if err := os.Rename(partial, f.Path(m.Name)); err != nil {
		if back := os.Rename(old, f.Path(m.Name)); !errors.Is(back, os.ErrNotExist) {
			err = errors.Join(err, back)
		}
		return cannotWrite(err)
	}
	return os.RemoveAll(old)
}

// checkSpace fails if the disk has too little room.
func (f Folder) checkSpace(need int64) error {
	if err := os.MkdirAll(string(f), 0o700); err != nil {
		return cannotWrite(err)
	}
	if free, known := diskspace.Free(string(f)); known && free < need+need/10 {
		return &errs.Error{
			Code: errs.Unavailable, Op: "models: write",
			Message: fmt.Sprintf("not enough disk space for the model: %d MB needed, %d MB free",
				megabytes(need+need/10), megabytes(free)),
			Hint: "free some disk space, or choose another folder with LENS_MODELS_DIR",
		}
	}
	return nil
}

func megabytes(n int64) int64 { return (n + 999_999) / 1_000_000 }

// checksumFile writes a file and computes its checksum.
type checksumFile struct {
	file *os.File
	sum  hash.Hash
	size int64
}

// openChecksumFile opens a file for writing. With resume, its present content is summed and kept.
func openChecksumFile(path string, resume bool) (*checksumFile, error) {
	flags := os.O_CREATE | os.O_RDWR
	if !resume {
		flags |= os.O_TRUNC
	}
	file, err := os.OpenFile(path, flags, 0o600)
	if err != nil {
		return nil, cannotWrite(err)
	}
	s := &checksumFile{file: file, sum: sha256.New()}
	if s.size, err = io.Copy(s.sum, file); err != nil {
		file.Close()
		return nil, cannotWrite(err)
	}
	return s, nil
}

func (s *checksumFile) restart() error {
	s.sum.Reset()
	s.size = 0
	if err := s.file.Truncate(0); err != nil {
		return cannotWrite(err)
	}
	_, err := s.file.Seek(0, io.SeekStart)
	return err
}

// fill appends the content of r until the file has limit bytes at most, and checks ctx between blocks.
func (s *checksumFile) fill(ctx context.Context, r io.Reader, limit int64, progress func(n int64)) error {
	block := make([]byte, 256<<10)
	for {
		if err := ctx.Err(); err != nil {
			return err
		}
		n, err := r.Read(block)
		if s.size += int64(n); s.size > limit {
			return &errs.Error{Code: errs.Invalid, Op: "models: fetch", Message: "the file is longer than the published one"}
		}
		if _, werr := s.file.Write(block[:n]); werr != nil {
			return cannotWrite(werr)
		}
		s.sum.Write(block[:n])
		progress(s.size)
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
	}
}

// close flushes the file and returns its checksum.
func (s *checksumFile) close() (sum string, err error) {
	err = s.file.Sync()
	if cerr := s.file.Close(); err == nil {
		err = cerr
	}
	if err != nil {
		return "", cannotWrite(err)
	}
	return hex.EncodeToString(s.sum.Sum(nil)), nil
}

func cannotWrite(err error) error {
	return &errs.Error{
		Code: errs.Unavailable, Op: "models: write", Message: "the model folder is not writable", Err: err,
		Hint: "check the folder's permissions and the free space, or choose another folder with LENS_MODELS_DIR",
	}
}
