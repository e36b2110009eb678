package keys

import (
	"crypto/rand"
	"errors"
	"os"
	"path/filepath"
	"time"

	"lens/internal/vault"
)

// The key reaches other processes in two ways: through the kernel, for a limited time, and through a pipe to a child
// process.

// Hold lets every process of this user open the archive without its PIN for d, if the system can store a key that
// expires by itself. secret is the PIN or passphrase, as for Unlock. Errors: as Unlock; unavailable if the system
// cannot do that.
func (h *Holder) Hold(secret string, d time.Duration) error {
	v, keys, err := h.OpenVault(secret)
	if err != nil {
		return err
	}
	defer keys.Zero()
	return v.Hold(keys, d)
}

// lockedName is a file that lens lock replaces with random content. A time would not do: clocks can be set back.
const lockedName = "lens.locked"

// Drop removes the key that Hold stored, and makes every process with AutoLock lock the archive. It reports whether
// there was a key.
func (h *Holder) Drop() (bool, error) {
	v, err := h.encryptedVault()
	if err != nil {
		return false, err
	}
	held, err := v.Drop()
	return held, errors.Join(err, vault.WriteFile(filepath.Join(h.opts.Dir, lockedName), []byte(rand.Text())))
}

// readLastLock identifies the latest run of lens lock, "" if there was none.
func (h *Holder) readLastLock() string {
	// A process that cannot read this file cannot read the archive either.
	text, _ := os.ReadFile(filepath.Join(h.opts.Dir, lockedName))
	return string(text)
}

// revoked reports whether the key in use must no longer be: lens lock has run since the archive was unlocked or, in a
// server, the time that lens unlock granted is over.
func (h *Holder) revoked() bool {
	v, err := h.Vault()
	h.mu.Lock()
	defer h.mu.Unlock()
	switch {
	case h.keys == nil:
		return false
	case h.lastLock != h.readLastLock():
		return true
	case err != nil || !h.server || !h.fromHold:
		return false
	}
	keys, held := v.Held()
	if held {
		keys.Zero()
	}
	return !held
}

// Export returns the key for a child process, nil if the archive is locked or not encrypted.
func (h *Holder) Export() []byte {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.keys == nil {
		return nil
	}
	return h.keys.Export()
}

// Import unlocks the archive with a key that the parent process exported. Without a key it does nothing.
func (h *Holder) Import(key []byte) {
	if keys, err := vault.ImportKey(key); err == nil {
		h.put(keys)
	}
}
