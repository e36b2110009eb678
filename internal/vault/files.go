package vault

import (
	"bytes"
	"cmp"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"github.com/gofrs/flock"
)

const (
	fileName   = "lens.vault"
	backupName = "lens.vault.bak"
	lockName   = "lens.tries.lock"
)

func (o Options) withDefaults() Options {
	if o.Keyring == nil {
		o.Keyring = osKeyring{}
	}
	if o.Now == nil {
		o.Now = time.Now
	}
	o.Params, o.Delay = cmp.Or(o.Params, defaultParams), cmp.Or(o.Delay, time.Second)
	return o
}

// load returns the newer intact file.
func load(dir string) (vaultFile, error) {
	newest, err := loadFile(filepath.Join(dir, fileName))
	other, failed := loadFile(filepath.Join(dir, backupName))
	switch {
	case failed == nil && (err != nil || other.revision > newest.revision):
		return other, nil
	case errors.Is(err, fs.ErrNotExist) && !errors.Is(failed, fs.ErrNotExist):
		return newest, failed
	}
	return newest, err
}

func loadFile(path string) (vaultFile, error) {
	f, err := os.Open(path)
	if err != nil {
		return vaultFile{}, err
	}
	defer f.Close()
	b := make([]byte, fileBytes+1)
	n, err := f.Read(b)
	if err != nil && n > 0 {
		return vaultFile{}, err
	}
	return decode(b[:n])
}

// Save writes both files, lens.vault first: the archive counts as encrypted from then on. Each write is atomic and on
// disk when Save returns. Errors: unavailable if another process wrote or removed the vault since it was read, because
// its file may be the only way to another key.
func (v *Vault) Save() error {
	lock := fileLock(v.dir)
	if err := lock.Lock(); err != nil {
		return err
	}
	defer lock.Close()
	there, err := load(v.dir)
	switch {
	case err != nil && !errors.Is(err, fs.ErrNotExist):
		return errUnreadable(v.dir, err)
	case there.revision != v.file.revision:
		return errChanged(v.dir)
	}
	v.file.revision++
	return v.file.write(v.dir)
}

// Repair makes both files equal again after one was lost or a write was interrupted. It needs no key.
func (v *Vault) Repair() error {
	lock := fileLock(v.dir)
	if err := lock.Lock(); err != nil {
		return err
	}
	defer lock.Close()
	return repair(v.dir)
}

// repair is Repair with the lock held.
func repair(dir string) error {
	there, err := load(dir)
	if err != nil {
		return err
	}
	return there.write(dir)
}

// write writes the files that differ from f.
func (f vaultFile) write(dir string) error {
	b := f.encode()
	for _, name := range []string{fileName, backupName} {
		path := filepath.Join(dir, name)
		if there, err := os.ReadFile(path); err == nil && bytes.Equal(there, b) {
			continue
		}
		if err := WriteFile(path, b); err != nil {
			return err
		}
	}
	return nil
}

// Remove removes the vault of a folder. The archive in it counts as unencrypted from then on.
func Remove(dir string) error {
	lock := fileLock(dir)
	if err := lock.Lock(); err != nil {
		return err
	}
	err := remove(dir, backupName, attemptsName, fileName)
	_ = lock.Close() // Windows does not remove open files
	return errors.Join(err, remove(dir, lockName), SyncDir(dir))
}

func remove(dir string, names ...string) error {
	for _, name := range names {
		if err := os.Remove(filepath.Join(dir, name)); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
	}
	return nil
}

// fileLock returns the lock that a process holds while it counts an attempt or writes the vault.
func fileLock(dir string) *flock.Flock {
	return flock.New(filepath.Join(dir, lockName), flock.SetPermissions(0o600))
}

// WriteFile atomically writes a file with mode 0600. It is on disk when WriteFile returns.
func WriteFile(path string, content []byte) (err error) {
	f, err := os.CreateTemp(filepath.Dir(path), filepath.Base(path)+".*.tmp") // mode 0600
	if err != nil {
		return err
	}
	_, err = f.Write(content)
	if err = errors.Join(err, f.Sync(), f.Close()); err == nil {
		err = os.Rename(f.Name(), path)
	}
	if err != nil {
		_ = os.Remove(f.Name())
		return err
	}
	return SyncDir(filepath.Dir(path))
}

// SyncDir syncs a directory, so that new and removed files survive a crash. It does nothing where directories cannot be
// synced (Windows).
func SyncDir(dir string) error {
	d, err := os.Open(dir)
	if err != nil {
		return err
	}
	defer d.Close()
	err = d.Sync()
	unsupported := errors.Is(err, fs.ErrPermission) || errors.Is(err, errors.ErrUnsupported) ||
		errors.Is(err, os.ErrInvalid)
	if err != nil && !unsupported {
		return err
	}
	return nil
}

// Copy writes the newer intact file of the vault in one folder into another one, as both files. It needs no key.
// Errors: fs.ErrNotExist if there is no vault, unavailable if it is damaged.
func Copy(from, to string) error {
	v, err := Load(from, Options{})
	if err != nil {
		return err
	}
	return v.file.write(to)
}
