package sqlite

import (
	"errors"
	"io/fs"
	"os"
)

// makeFiles creates the directory and an empty database file, accessible to their owner only.
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

// restrictPermissions restricts the files that SQLite created beside the database under the umask.
// Until then the mode of the directory protects them.
func restrictPermissions(path string) error {
	for _, name := range []string{path + "-wal", path + "-shm"} {
		if err := os.Chmod(name, 0o600); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
	}
	return nil
}

// writable reports whether files can be created in dir. It creates one, because permissions do not
// reveal a read-only volume.
func writable(dir string) bool {
	f, err := os.CreateTemp(dir, "probe-*.tmp")
	if err != nil {
		return false
	}
	_ = f.Close()
	_ = os.Remove(f.Name())
	return true
}
