// Package keys holds the key of an encrypted archive.
//
// A Holder is the only place in a process that keeps the key. Locking erases it, and locks every store opened with it.
package keys

import (
	"errors"
	"io/fs"
	"slices"
	"sync"

	"lens/internal/errs"
	"lens/internal/vault"
)

// Secrets are the PIN or passphrases of an encrypted archive.
type Secrets = vault.Secrets

// Options says which archive a Holder is for.
type Options struct {
	Dir    string // the data folder
	Remote bool   // the archive is on a database server: Lens does not encrypt it
	Vault  vault.Options
}

// A Locker uses the key. Lock makes it return locked errors, after a commit in progress.
type Locker interface{ Lock() error }

// Holder holds the key of an archive for all stores of this process. It is safe for concurrent use.
type Holder struct {
	opts Options

	mu       sync.Mutex
	ask      func() (string, error) // nil: do not ask
	keys     *vault.Keys            // nil: locked
	fromHold bool                   // the keys come from lens unlock
	shut     bool                   // after Lock: do not ask for the PIN until Unlock
	server   bool                   // a key from lens unlock counts after Lock, too: nothing else unlocks a server
	lastLock string                 // the content of lens.locked when it was unlocked
	users    []Locker
	onLock   []func()
}

// New returns a Holder without a key.
func New(opts Options) *Holder { return &Holder{opts: opts} }

// OnSecret sets the function that asks for the PIN when an encrypted archive is opened. If it is nil or returns "", the
// archive stays locked.
func (h *Holder) OnSecret(ask func() (string, error)) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.ask = ask
}

// ForServer prepares h for concurrent requests. Only the first of them asks for the PIN: a wrong PIN, given at every
// request, would use up all tries. After that lens unlock unlocks the archive, also after lens lock.
func (h *Holder) ForServer() {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.server = true
	if ask := h.ask; ask != nil {
		var once sync.Once
		h.ask = func() (secret string, err error) {
			once.Do(func() { secret, err = ask() })
			return secret, err
		}
	}
}

// OnLock adds a function to call after the archive has been locked, such as one that clears the screen.
func (h *Holder) OnLock(fn func()) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.onLock = append(h.onLock, fn)
}

// HasKeyring reports whether this machine can store a secret for a PIN. Without a keyring the archive needs a
// passphrase.
func (h *Holder) HasKeyring() bool { return vault.HasKeyring(h.opts.Vault) }

// Dir returns the data folder.
func (h *Holder) Dir() string { return h.opts.Dir }

// Remote reports whether the archive is on a database server.
func (h *Holder) Remote() bool { return h.opts.Remote }

// Vault reads the vault. Errors: fs.ErrNotExist if the archive is not encrypted.
func (h *Holder) Vault() (*vault.Vault, error) {
	if h.opts.Remote {
		return nil, fs.ErrNotExist
	}
	return vault.Load(h.opts.Dir, h.opts.Vault)
}

// NewVault returns a vault with a new key for the archive, not saved yet. Errors: invalid for a secret that is too
// short.
func (h *Holder) NewVault(s Secrets) (*vault.Vault, *vault.Keys, error) {
	return vault.New(h.opts.Dir, s, h.opts.Vault)
}

// OpenVault reads the vault and opens it with a PIN or recovery passphrase; the caller erases the keys. Errors: as
// Unlock.
func (h *Holder) OpenVault(secret string) (*vault.Vault, *vault.Keys, error) {
	v, err := h.encryptedVault()
	if err != nil {
		return nil, nil, err
	}
	keys, err := v.Unlock(secret)
	return v, keys, err
}

// OpenCopy opens the vault in another folder, which is a copy of an archive's, and asks for its PIN or recovery
// passphrase; the caller erases the keys. Errors: as Unlock; fs.ErrNotExist.
func (h *Holder) OpenCopy(dir string) (*vault.Vault, *vault.Keys, error) {
	v, err := vault.Load(dir, h.opts.Vault)
	if err != nil {
		return nil, nil, err
	}
	h.mu.Lock()
	ask := h.ask
	h.mu.Unlock()
	if ask == nil {
		return nil, nil, isLocked()
	}
	secret, err := ask()
	if err == nil && secret == "" {
		err = isLocked()
	}
	if err != nil {
		return nil, nil, err
	}
	keys, err := v.Unlock(secret)
	return v, keys, err
}

// encryptedVault reads the vault. Errors: invalid if the archive is not encrypted.
func (h *Holder) encryptedVault() (*vault.Vault, error) {
	v, err := h.Vault()
	if errors.Is(err, fs.ErrNotExist) {
		return nil, &errs.Error{
			Code: errs.Invalid, Op: "vault", Message: "the archive is not encrypted",
			Hint: "run lens pin set to encrypt it",
		}
	}
	return v, err
}

// Encrypted reports whether the archive is encrypted.
func (h *Holder) Encrypted() bool {
	_, err := h.Vault()
	return !errors.Is(err, fs.ErrNotExist)
}

// MustBeEncrypted returns an error if the archive is not encrypted. Errors: invalid, and those of reading the vault.
func (h *Holder) MustBeEncrypted() error {
	_, err := h.encryptedVault()
	return err
}

// Locked reports whether the archive is encrypted and not unlocked.
func (h *Holder) Locked() bool {
	v, err := h.Vault()
	if err != nil {
		return !errors.Is(err, fs.ErrNotExist)
	}
	return h.current(v, nil) == nil
}

// Unlock opens the archive's vault with its PIN or recovery passphrase. Engines from before a lock stay locked: get new
// ones. Errors: locked, with the time to wait; invalid for an archive that is not encrypted; unavailable.
func (h *Holder) Unlock(secret string) error {
	_, keys, err := h.OpenVault(secret)
	if err != nil {
		return err
	}
	h.put(keys)
	return nil
}

// Lock erases the key and locks every store that uses it. A commit in progress finishes first.
func (h *Holder) Lock() error {
	h.mu.Lock()
	h.erase()
	h.shut = true
	users, onLock := h.users, h.onLock
	h.users = nil
	h.mu.Unlock()
	var failures []error
	for _, user := range users {
		failures = append(failures, user.Lock())
	}
	for _, fn := range onLock {
		fn()
	}
	return errors.Join(failures...)
}

// Close erases the key.
func (h *Holder) Close() {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.erase()
}

// Release removes a user that has closed its store.
func (h *Holder) Release(user Locker) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.users = slices.DeleteFunc(h.users, func(one Locker) bool { return one == user })
}

// ChangePIN sets a new PIN, a new recovery passphrase, or both. The key and the encrypted files stay. Errors: as
// Unlock; invalid for a secret that is too short.
func (h *Holder) ChangePIN(secret string, s Secrets) error {
	v, keys, err := h.OpenVault(secret)
	if err != nil {
		return err
	}
	defer keys.Zero()
	if s.PIN != "" {
		err = v.SetPIN(keys, s)
	}
	if err == nil && s.Recovery != "" {
		err = v.SetRecovery(keys, s.Recovery)
	}
	if err != nil {
		return err
	}
	return v.Save()
}

// Keys returns the keys for user, who may be nil, and asks for the PIN if needed. Errors: locked, those of Unlock.
func (h *Holder) Keys(v *vault.Vault, user Locker) (*vault.Keys, error) {
	for {
		if keys := h.current(v, user); keys != nil {
			return keys, nil
		}
		h.mu.Lock()
		ask, shut := h.ask, h.shut
		h.mu.Unlock()
		if shut || ask == nil {
			return nil, isLocked()
		}
		secret, err := ask()
		if err != nil {
			return nil, err
		}
		if secret == "" {
			return nil, isLocked()
		}
		keys, err := v.Unlock(secret)
		if err != nil {
			return nil, err
		}
		h.put(keys)
	}
}

// current returns the keys, including those from lens unlock, nil if there are none. Lock will lock user, who may be
// nil.
func (h *Holder) current(v *vault.Vault, user Locker) *vault.Keys {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.keys == nil && (!h.shut || h.server) {
		if keys, ok := v.Held(); ok {
			h.set(keys, true)
		}
	}
	if h.keys != nil && user != nil && !slices.Contains(h.users, user) {
		h.users = append(h.users, user)
	}
	return h.keys
}

// put stores keys until the archive is locked. If there are keys already, those stay in use and the new ones are
// erased.
func (h *Holder) put(keys *vault.Keys) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.keys != nil {
		keys.Zero()
		return
	}
	h.shut = false
	h.set(keys, false)
}

// Replace sets other keys, or none. No store is open.
func (h *Holder) Replace(keys *vault.Keys) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.erase()
	if keys != nil {
		h.shut = false
		h.set(keys, false)
	}
}

// set sets the keys. h.mu is held.
func (h *Holder) set(keys *vault.Keys, fromHold bool) {
	h.keys, h.fromHold, h.lastLock = keys, fromHold, h.readLastLock()
}

// erase erases the keys. h.mu is held.
func (h *Holder) erase() {
	if h.keys != nil {
		h.keys.Zero()
	}
	h.keys = nil
}

// isLocked returns the error of using a locked archive.
func isLocked() error {
	return &errs.Error{
		Code: errs.Locked, Op: "open archive", Message: "the archive is locked",
		Hint: "run lens in a terminal to enter the PIN or passphrase, or set LENS_PIN_FILE to a file that contains it",
	}
}
