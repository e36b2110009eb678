package backup

import (
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
)

// Unpack writes the files of the backup at path into dir, readable by their owner only, and syncs them to disk. It
// returns their names in the order of the backup. After a failure, the files in dir are of no use. Errors: as Read.
func Unpack(ctx context.Context, path, dir string) (head Head, names []string, err error) {
	head, err = Read(ctx, path, func(name string, _ int64, content io.Reader) error {
		names = append(names, name)
		return writeFile(filepath.Join(dir, filepath.FromSlash(name)), content)
	})
	return head, names, err
}

func writeFile(path string, content io.Reader) error {
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return err
	}
	file, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return err
	}
	_, err = io.Copy(file, content)
	return errors.Join(err, file.Sync(), file.Close())
}
