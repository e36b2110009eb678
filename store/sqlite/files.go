package sqlite

import (
	"errors"
	"io/fs"
	"os"
)

// makeFiles makes the folder, and the empty database file, for their owner alone.
func makeFiles(dir, path string) error {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return err
	}
	f, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return err
	}
	return f.Close()
}

// restrictPermissions does the same for what SQLite has put beside the database, as the umask said. Until then the folder's mode
// protects it.
func restrictPermissions(path string) error {
	for _, name := range []string{path + "-wal", path + "-shm"} {
		if err := os.Chmod(name, 0o600); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
	}
	return nil
}

// writable reports whether files can be made in dir: by making one, since permissions do not tell of a read-only volume.
func writable(dir string) bool {
	f, err := os.CreateTemp(dir, "probe-*.tmp")
	if err != nil {
		return false
	}
	_ = f.Close()
	_ = os.Remove(f.Name())
	return true
}
