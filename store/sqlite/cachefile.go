package sqlite

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"
)

// cacheFiles are the files beside the database that hold data of its tables in a form that is faster to read: the
// catalog and the vector indexes. In an encrypted archive they are encrypted whole, and bound to their names. Any of
// them may be missing.
type cacheFiles struct {
	dir        string      // "": there are none
	encryption *encryption // nil: not encrypted
	readOnly   bool
}

// read returns the content of a file as write got it.
func (f cacheFiles) read(name string) ([]byte, error) {
	if f.dir == "" {
		return nil, fs.ErrNotExist
	}
	file, err := os.ReadFile(filepath.Join(f.dir, name))
	if err != nil || f.encryption == nil {
		return file, err
	}
	return f.encryption.Open(cacheKey, name, file)
}

// write writes a file atomically.
func (f cacheFiles) write(name string, file []byte) (err error) {
	if f.encryption != nil {
		if file, err = f.encryption.Seal(cacheKey, name, file); err != nil {
			return err
		}
	}
	temp, err := os.CreateTemp(f.dir, name+".*.tmp") // mode 0600
	if err != nil {
		return err
	}
	_, err = temp.Write(file)
	if err = errors.Join(err, temp.Close()); err == nil {
		err = os.Rename(temp.Name(), filepath.Join(f.dir, name))
	}
	if err != nil {
		_ = os.Remove(temp.Name())
	}
	return err
}

// remove removes every file with the prefix except keep, as far as possible: on Windows a mapped
// file stays until the next call. It leaves a temporary file that another process may be writing,
// unless keep is empty.
func (f cacheFiles) remove(prefix, keep string) {
	if f.dir == "" {
		return
	}
	entries, _ := os.ReadDir(f.dir)
	for _, e := range entries {
		if e.Name() == keep || !strings.HasPrefix(e.Name(), prefix) {
			continue
		}
		if keep != "" && strings.HasSuffix(e.Name(), ".tmp") && fresh(e) {
			continue
		}
		_ = os.Remove(filepath.Join(f.dir, e.Name()))
	}
}

func fresh(e os.DirEntry) bool {
	info, err := e.Info()
	return err == nil && time.Since(info.ModTime()) < time.Hour
}
