package sqlite

import (
	"errors"
	"os"
	"path/filepath"
)

// A cache file holds data of the tables in a form that is faster to read. In an encrypted archive it is encrypted
// whole, and bound to its name.

// readCache returns the content of a cache file as writeCache got it.
func (s *Store) readCache(name string) ([]byte, error) {
	file, err := os.ReadFile(filepath.Join(s.dir, name))
	if err != nil || s.encryption == nil {
		return file, err
	}
	return s.encryption.Open(cacheKey, name, file)
}

// writeCache writes a cache file atomically.
func (s *Store) writeCache(name string, file []byte) (err error) {
	if s.encryption != nil {
		if file, err = s.encryption.Seal(cacheKey, name, file); err != nil {
			return err
		}
	}
	f, err := os.CreateTemp(s.dir, name+".*.tmp") // mode 0600
	if err != nil {
		return err
	}
	_, err = f.Write(file)
	if err = errors.Join(err, f.Close()); err == nil {
		err = os.Rename(f.Name(), filepath.Join(s.dir, name))
	}
	if err != nil {
		_ = os.Remove(f.Name())
	}
	return err
}
