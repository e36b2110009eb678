package vault

import (
	"bytes"
	"cmp"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"time"
)

const (
	fileName   = "lens.vault"
	backupName = "lens.vault.bak"
)

func (o Options) filled() Options {
	if o.Keyring == nil {
		o.Keyring = osKeyring{}
	}
	if o.Now == nil {
		o.Now = time.Now
	}
	o.Params, o.Delay = cmp.Or(o.Params, standard), cmp.Or(o.Delay, time.Second)
	return o
}

// load returns the newer of the two files that is whole.
func load(dir string) (wrap, error) {
	newest, err := loadOne(filepath.Join(dir, fileName))
	other, failed := loadOne(filepath.Join(dir, backupName))
	switch {
	case failed == nil && (err != nil || other.revision > newest.revision):
		return other, nil
	case errors.Is(err, fs.ErrNotExist) && !errors.Is(failed, fs.ErrNotExist):
		return newest, failed
	}
	return newest, err
}

func loadOne(path string) (wrap, error) {
	f, err := os.Open(path)
	if err != nil {
		return wrap{}, err
	}
	defer f.Close()
	b := make([]byte, fileBytes+1)
	n, err := f.Read(b)
	if err != nil && n > 0 {
		return wrap{}, err
	}
	return decode(b[:n])
}

// Save writes the vault: first the one file, at whose appearance it is the archive's, then the other. Each is there whole or not at all,
// and on the disk when Save returns.
func (v *Vault) Save() error {
	v.wrap.revision++
	b := v.wrap.encode()
	for _, name := range []string{fileName, backupName} {
		if err := WriteFile(filepath.Join(v.dir, name), b); err != nil {
			return err
		}
	}
	return nil
}

// Mend makes the two files equal again, where one was lost or a writer was stopped between them. It needs no key.
func (v *Vault) Mend() error {
	b := v.wrap.encode()
	for _, name := range []string{fileName, backupName} {
		path := filepath.Join(v.dir, name)
		if there, err := os.ReadFile(path); err == nil && bytes.Equal(there, b) {
			continue
		}
		if err := WriteFile(path, b); err != nil {
			return err
		}
	}
	return nil
}

// Remove removes the vault of a folder: from then on the archive in it is one without.
func Remove(dir string) error {
	for _, name := range []string{backupName, triesName, triesLock, fileName} {
		if err := os.Remove(filepath.Join(dir, name)); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
	}
	return SyncDir(dir)
}

// WriteFile writes a file for its owner alone: whole or not at all, and on the disk when it returns.
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

// SyncDir has the disk learn which files a folder holds. Where folders cannot be synced (Windows) the system sees to it.
func SyncDir(dir string) error {
	d, err := os.Open(dir)
	if err != nil {
		return err
	}
	defer d.Close()
	if err := d.Sync(); err != nil && !errors.Is(err, fs.ErrPermission) && !errors.Is(err, errors.ErrUnsupported) && !errors.Is(err, os.ErrInvalid) {
		return err
	}
	return nil
}
