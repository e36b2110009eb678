package boot

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"

	"lens/internal/vault"
	"lens/store"
)

// Secrets are what opens an encrypted archive.
type Secrets = vault.Secrets

// Where an encrypted archive lies, by its epoch. A data folder with lens.vault in it is that archive's, whatever else it holds.
func sealedName(epoch int) string { return fmt.Sprintf("sealed-%d", epoch) }

// OnSecret says who is asked for the PIN when an encrypted archive is opened; nil, or an empty answer: nobody, and the archive stays locked.
func (l *Lens) OnSecret(ask func() (string, error)) { l.ask = ask }

// Enter asks for the PIN now, where one is needed and not yet known. Errors: locked, as Unlock.
func (l *Lens) Enter() error {
	_, err := l.home()
	return err
}

// OnLock adds what is to be done when the archive has been locked: forget what was shown of it.
func (l *Lens) OnLock(fn func()) {
	l.box.mu.Lock()
	defer l.box.mu.Unlock()
	l.box.told = append(l.box.told, fn)
}

// Beside returns another Lens for what verb does over the same archive. It is locked and unlocked together with l.
func (l *Lens) Beside(verb string) *Lens {
	beside := New(l.cfg, verb)
	beside.notice, beside.ask, beside.demo, beside.box = l.notice, l.ask, l.demo, l.box
	return beside
}

// Encrypted reports whether the archive is encrypted.
func (l *Lens) Encrypted() bool {
	_, err := l.loadVault()
	return !errors.Is(err, fs.ErrNotExist)
}

// Locked reports whether the archive is encrypted and nobody has unlocked it.
func (l *Lens) Locked() bool {
	v, err := l.loadVault()
	if err != nil {
		return !errors.Is(err, fs.ErrNotExist)
	}
	l.box.mu.Lock()
	defer l.box.mu.Unlock()
	return l.box.hold(v) == nil
}

// Unlock opens the archive's vault with its PIN or recovery passphrase. Engines and stores of before stay locked: ask for new ones.
// Errors: locked, with how long to wait; invalid for an archive that is not encrypted; unavailable.
func (l *Lens) Unlock(secret string) error {
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

// Lock forgets the key and closes what this process has open of the archive: what it is asked afterwards fails with locked. A commit that
// is being written is finished first.
func (l *Lens) Lock() error {
	b := l.box
	b.mu.Lock()
	if b.keys != nil {
		b.keys.Zero()
	}
	b.keys, b.shut = nil, true
	opened, told := b.opened, b.told
	b.opened = nil
	b.mu.Unlock()
	var errs []error
	for _, one := range opened {
		errs = append(errs, one.lockStore())
	}
	for _, fn := range told {
		fn()
	}
	return errors.Join(errs...)
}

func (l *Lens) lockStore() error {
	l.mu.Lock()
	defer l.mu.Unlock()
	locking, ok := l.store.(interface{ Lock() error })
	l.store, l.engine = nil, nil
	if !ok {
		return nil
	}
	return locking.Lock()
}

func (l *Lens) loadVault() (*vault.Vault, error) {
	if l.cfg.DatabaseURL != "" {
		return nil, fs.ErrNotExist
	}
	return vault.Load(l.cfg.DataDir, l.box.opts)
}

// home returns where the archive lies, and asks for its PIN where that is needed. Errors: locked, and those of a vault that cannot be read.
func (l *Lens) home() (home, error) {
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
	if missing(filepath.Join(h.dir, archiveFile)) { // and nobody may make an empty one in its place
		return plain, &store.Error{
			Code: store.CodeUnavailable, Op: "open archive",
			Message: "the archive of lens.vault in " + l.cfg.DataDir + " is missing",
			Hint:    "restore " + filepath.Base(h.dir) + " from the same backup as lens.vault",
		}
	}
	return h, nil
}

// keys returns the archive's keys. l.homing is held.
func (l *Lens) keys(v *vault.Vault) (*vault.Keys, error) {
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

// HasKeyring reports whether this machine keeps a secret for a PIN. Without one the archive needs a passphrase.
func (l *Lens) HasKeyring() bool { return vault.HasKeyring(l.box.opts) }

// notEncrypted says so where that is what err means.
func notEncrypted(err error) error {
	if !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return &store.Error{
		Code: store.CodeInvalid, Op: "vault", Message: "the archive is not encrypted",
		Hint: "run lens pin set to encrypt it",
	}
}

// checkVault says whether what is on the disk can be read without a key.
func (l *Lens) checkVault() Check {
	c := Check{Name: "encryption", Status: OK}
	v, err := l.loadVault()
	switch {
	case l.cfg.DatabaseURL != "":
		c.Message = "none by Lens: data in Postgres is as safe as its server's disk"
	case errors.Is(err, fs.ErrNotExist):
		c.Message = cmp.Or(l.leftover(), "none: anyone who can read the disk can read your chats; lens pin set encrypts them")
	case err != nil:
		return Failed("encryption", err)
	default:
		c.Message = cmp.Or(l.leftover(), v.Describe())
	}
	switch left := l.leftover(); {
	case left == unfinished:
		c.Status, c.Hint = Warn, "run any lens command that may write there; it finishes the change"
	case left != "":
		c.Status, c.Hint = Warn, "move it to another folder and open it there with --data; Lens does not remove it"
	}
	return c
}
