package sqlite

import (
	"errors"
	"os"
	"path/filepath"
)

// A cache file holds what the tables hold too, in a form that is quicker to read. Where the archive is encrypted it is as well, whole,
// and bound to its name.

// readCache reads a cache file as it was kept.
func (s *Store) readCache(name string) ([]byte, error) {
	file, err := os.ReadFile(filepath.Join(s.dir, name))
	if err != nil || s.encryption == nil {
		return file, err
	}
	return s.encryption.Open(cacheKey, name, file)
}

// writeCache writes a cache file: whole, or not at all.
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
