package boot

import (
	"crypto/rand"
	"errors"
	"os"
	"path/filepath"
	"time"

	"lens/internal/vault"
)

// How the key gets from one process to others: through the kernel, for a while, and through a pipe to one that works for this one.

// Hold lets every process of this person open the archive without its PIN for d, where the system has a place that forgets the key by itself.
// secret is needed, as for Unlock. Errors: as Unlock; unavailable where there is no such place.
func (l *Lens) Hold(secret string, d time.Duration) error {
	if err := l.Unlock(secret); err != nil {
		return err
	}
	v, err := l.loadVault()
	if err != nil {
		return err
	}
	l.box.mu.Lock()
	defer l.box.mu.Unlock()
	if l.box.keys == nil {
		return isLocked()
	}
	return v.Hold(l.box.keys, d)
}

// lockedName is a file that is another whenever lens lock was said. It names no time: clocks are set back.
const lockedName = "lens.locked"

// Drop takes back what Hold kept, and has every Lens that watches (see AutoLock) lock itself. It reports whether anything was kept.
func (l *Lens) Drop() (bool, error) {
	v, err := l.loadVault()
	if err != nil {
		return false, notEncrypted(err)
	}
	kept, err := v.Drop()
	return kept, errors.Join(err, vault.WriteFile(filepath.Join(l.cfg.DataDir, lockedName), []byte(rand.Text())))
}

// lastLock names the last time that lens lock was said; "" for never.
func (l *Lens) lastLock() string {
	text, _ := os.ReadFile(filepath.Join(l.cfg.DataDir, lockedName)) // who cannot read it cannot read the archive either
	return string(text)
}

// toldToLock reports whether lens lock was said since the archive was opened.
func (l *Lens) toldToLock() bool {
	last := l.lastLock()
	l.box.mu.Lock()
	defer l.box.mu.Unlock()
	return l.box.keys != nil && l.box.lastLock != last
}

// overdue reports whether a server goes on with a key that lens unlock left for a while, and the while is over.
func (l *Lens) overdue() bool {
	v, err := l.loadVault()
	l.box.mu.Lock()
	defer l.box.mu.Unlock()
	if err != nil || !l.box.heeds || !l.box.left || l.box.keys == nil {
		return false
	}
	keys, there := v.Held()
	if there {
		keys.Zero()
	}
	return !there
}

// lend returns the key for a process that is to work for this one; nil where there is none to lend.
func (l *Lens) lend() []byte {
	l.box.mu.Lock()
	defer l.box.mu.Unlock()
	if l.box.keys == nil {
		return nil
	}
	return l.box.keys.Export()
}

// borrow opens the archive with what another process lent; with nothing, it stays as it is.
func (l *Lens) borrow(key []byte) {
	if keys, err := vault.ImportKey(key); err == nil {
		l.box.put(keys)
	}
}
