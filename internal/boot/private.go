package boot

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"

	"lens/internal/vault"
	"lens/store"
	"lens/store/sqlite"
)

// home is where an archive lies with all that tells of it.
type home struct {
	dir  string
	keys *vault.Keys // nil: nothing in it is encrypted
}

// privateKey is the purpose of the keys of what lies beside an archive.
const privateKey = "beside the archive"

// options are how the archive in h is opened.
func (h home) options() sqlite.Options {
	o := sqlite.Options{Dir: h.dir}
	if h.keys != nil { // and no nil of a type in an interface
		o.Keys = h.keys
	}
	return o
}

// read returns a file beside the archive. Errors: fs.ErrNotExist, locked, vault.ErrSealed for one that was changed.
func (h home) read(name string) ([]byte, error) {
	content, err := os.ReadFile(filepath.Join(h.dir, name))
	if err != nil || h.keys == nil {
		return content, err
	}
	return h.keys.Open(privateKey, filepath.ToSlash(name), content)
}

// write replaces a file beside the archive: whole, or not at all. Without a folder for it there is no archive, and so nothing to keep.
func (h home) write(name string, content []byte) (err error) {
	if h.keys != nil {
		if content, err = h.keys.Seal(privateKey, filepath.ToSlash(name), content); err != nil {
			return err
		}
	}
	err = vault.WriteFile(filepath.Join(h.dir, name), content)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return err
}

func (h home) remove(name string) error {
	if err := os.Remove(filepath.Join(h.dir, name)); !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return nil
}

// isLocked is the error for who asks an archive that nobody has unlocked.
func isLocked() error {
	return &store.Error{
		Code: store.CodeLocked, Op: "open archive", Message: "the archive is locked",
		Hint: "run lens in a terminal to enter the PIN, or set LENS_PIN_FILE to a file that contains it",
	}
}
