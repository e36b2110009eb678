package app

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"

	"lens/internal/errs"
	"lens/internal/vault"
	"lens/store/sqlite"
)

// home is the folder of an archive and of all files related to it.
type home struct {
	dir  string
	keys *vault.Keys // nil: not encrypted
}

// privateKey is the purpose of the key that encrypts the files next to an archive.
const privateKey = "beside the archive"

// options returns the options to open the archive in h.
func (h home) options() sqlite.Options {
	o := sqlite.Options{Dir: h.dir}
	if h.keys != nil { // not a typed nil in an interface
		o.Keys = h.keys
	}
	return o
}

// read returns a file next to the archive. Errors: fs.ErrNotExist, locked, vault.ErrSealed for a file that was changed.
func (h home) read(name string) ([]byte, error) {
	content, err := os.ReadFile(filepath.Join(h.dir, name))
	if err != nil || h.keys == nil {
		return content, err
	}
	return h.keys.Open(privateKey, filepath.ToSlash(name), content)
}

// write replaces a file next to the archive atomically. If the folder does not exist there is no archive, and write
// does nothing.
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

// isLocked returns the error of using a locked archive.
func isLocked() error {
	return &errs.Error{
		Code: errs.Locked, Op: "open archive", Message: "the archive is locked",
		Hint: "run lens in a terminal to enter the PIN or passphrase, or set LENS_PIN_FILE to a file that contains it",
	}
}
