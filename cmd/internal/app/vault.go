package app

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"

	"lens/cmd/internal/doctor"
	"lens/internal/errs"
	"lens/internal/vault"
)

// Secrets are the PIN or passphrases of an encrypted archive.
type Secrets = vault.Secrets

// sealedName returns the folder of an encrypted archive with an epoch, inside the data folder. A data folder that
// contains lens.vault belongs to that archive, whatever else it contains.
func sealedName(epoch int) string { return fmt.Sprintf("sealed-%d", epoch) }

// OnSecret sets the function that asks for the PIN when an encrypted archive is opened. If it is nil or returns "", the
// archive stays locked.
func (l *App) OnSecret(ask func() (string, error)) { l.ask = ask }

// Enter asks for the PIN now, if one is needed and not yet known. Errors: locked, those of Unlock.
func (l *App) Enter() error {
	_, err := l.home()
	return err
}

// OnLock adds a function to call after the archive has been locked, such as one that clears the screen.
func (l *App) OnLock(fn func()) {
	l.box.mu.Lock()
	defer l.box.mu.Unlock()
	l.box.told = append(l.box.told, fn)
}

// Beside returns another Lens over the same archive, for verb. It is locked and unlocked together with l.
func (l *App) Beside(verb string) *App {
	beside := New(l.cfg, verb)
	beside.notice, beside.ask, beside.Models.Demo, beside.box = l.notice, l.ask, l.Models.Demo, l.box
	return beside
}

// Encrypted reports whether the archive is encrypted.
func (l *App) Encrypted() bool {
	_, err := l.loadVault()
	return !errors.Is(err, fs.ErrNotExist)
}

// Locked reports whether the archive is encrypted and not unlocked.
func (l *App) Locked() bool {
	v, err := l.loadVault()
	if err != nil {
		return !errors.Is(err, fs.ErrNotExist)
	}
	l.box.mu.Lock()
	defer l.box.mu.Unlock()
	return l.box.hold(v) == nil
}

// Unlock opens the archive's vault with its PIN or recovery passphrase. Engines from before a lock stay locked: get new
// ones. Errors: locked, with the time to wait; invalid for an archive that is not encrypted; unavailable.
func (l *App) Unlock(secret string) error {
	v, err := l.loadVault()
	if err != nil {
		return notEncrypted(err)
	}
	keys, err := v.Unlock(secret)
	if err != nil {
		return err
	}
	l.box.put(keys)
	return nil
}

// Lock erases the key and closes the archive in this process: later calls fail with locked. A commit in progress
// finishes first.
func (l *App) Lock() error {
	b := l.box
	b.mu.Lock()
	if b.keys != nil {
		b.keys.Zero()
	}
	b.keys, b.shut = nil, true
	opened, told := b.opened, b.told
	b.opened = nil
	b.mu.Unlock()
	var failures []error
	for _, one := range opened {
		failures = append(failures, one.lockStore())
	}
	for _, fn := range told {
		fn()
	}
	return errors.Join(failures...)
}

func (l *App) lockStore() error {
	l.mu.Lock()
	defer l.mu.Unlock()
	locking, ok := l.store.(interface{ Lock() error })
	l.store, l.engine = nil, nil
	if !ok {
		return nil
	}
	return locking.Lock()
}

func (l *App) loadVault() (*vault.Vault, error) {
	if l.cfg.DatabaseURL != "" {
		return nil, fs.ErrNotExist
	}
	return vault.Load(l.cfg.DataDir, l.box.opts)
}

// home returns the folder of the archive, and asks for its PIN if needed. Errors: locked, and those of reading the
// vault.
func (l *App) home() (home, error) {
	plain := home{dir: l.cfg.DataDir}
	if l.cfg.DatabaseURL != "" {
		return plain, nil
	}
	l.homing.Lock()
	defer l.homing.Unlock()
	if err := l.gate.enter(l.cfg.DataDir); err != nil {
		return plain, err
	}
	if err := l.settle(); err != nil {
		return plain, err
	}
	v, err := l.loadVault()
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return plain, nil
	case err != nil:
		return plain, err
	}
	keys, err := l.keys(v)
	if err != nil {
		return plain, err
	}
	h := l.sealedHome(v, keys)
	if missing(filepath.Join(h.dir, archiveFile)) { // do not create an empty archive in its place
		return plain, &errs.Error{
			Code: errs.Unavailable, Op: "open archive",
			Message: "the archive of lens.vault in " + l.cfg.DataDir + " is missing",
			Hint:    "restore " + filepath.Base(h.dir) + " from the same backup as lens.vault",
		}
	}
	return h, nil
}

// keys returns the archive's keys. l.homing is held.
func (l *App) keys(v *vault.Vault) (*vault.Keys, error) {
	l.box.mu.Lock()
	keys, shut := l.box.hold(v), l.box.shut
	if keys != nil {
		l.box.enter(l)
	}
	l.box.mu.Unlock()
	if keys != nil {
		return keys, nil
	}
	if shut || l.ask == nil {
		return nil, isLocked()
	}
	secret, err := l.ask()
	if err != nil {
		return nil, err
	}
	if secret == "" {
		return nil, isLocked()
	}
	if keys, err = v.Unlock(secret); err != nil {
		return nil, err
	}
	l.box.put(keys)
	return l.keys(v)
}

// HasKeyring reports whether this machine can store a secret for a PIN. Without a keyring the archive needs a
// passphrase.
func (l *App) HasKeyring() bool { return vault.HasKeyring(l.box.opts) }

// notEncrypted translates fs.ErrNotExist, which means that the archive is not encrypted.
func notEncrypted(err error) error {
	if !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return &errs.Error{
		Code: errs.Invalid, Op: "vault", Message: "the archive is not encrypted",
		Hint: "run lens pin set to encrypt it",
	}
}

// checkVault reports whether the archive on disk is encrypted.
func (l *App) checkVault(context.Context) []doctor.Check {
	c := doctor.Check{Name: "encryption", Status: doctor.OK}
	v, err := l.loadVault()
	switch {
	case l.cfg.DatabaseURL != "":
		c.Message = "none by Lens: data in Postgres is as safe as its server's disk"
	case errors.Is(err, fs.ErrNotExist):
		c.Message = cmp.Or(l.leftover(), "none: anyone who can read the disk can read your chats; lens pin set encrypts them")
	case err != nil:
		return []doctor.Check{doctor.Failed("encryption", err)}
	default:
		c.Message = cmp.Or(l.leftover(), v.Describe())
	}
	switch left := l.leftover(); {
	case left == unfinished:
		c.Status, c.Hint = doctor.Warn, "run any lens command that may write there; it finishes the change"
	case left != "":
		c.Status, c.Hint = doctor.Warn, "move it to another folder and open it there with --data; Lens does not remove it"
	}
	return []doctor.Check{c}
}
