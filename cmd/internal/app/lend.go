package app

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
func (l *App) Hold(secret string, d time.Duration) error {
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

// lockedName is a file that lens lock replaces with random content. A time would not do: clocks can be set back.
const lockedName = "lens.locked"

// Drop removes the key that Hold stored, and makes every Lens with AutoLock lock itself. It reports whether there was a
// key.
func (l *App) Drop() (bool, error) {
	v, err := l.loadVault()
	if err != nil {
		return false, notEncrypted(err)
	}
	kept, err := v.Drop()
	return kept, errors.Join(err, vault.WriteFile(filepath.Join(l.cfg.DataDir, lockedName), []byte(rand.Text())))
}

// lastLock identifies the latest run of lens lock, "" if there was none.
func (l *App) lastLock() string {
	// A process that cannot read this file cannot read the archive either.
	text, _ := os.ReadFile(filepath.Join(l.cfg.DataDir, lockedName))
	return string(text)
}

// toldToLock reports whether lens lock has run since the archive was unlocked.
func (l *App) toldToLock() bool {
	last := l.lastLock()
	l.box.mu.Lock()
	defer l.box.mu.Unlock()
	return l.box.keys != nil && l.box.lastLock != last
}

// overdue reports whether a server still uses a key from lens unlock whose time is over.
func (l *App) overdue() bool {
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

// lend exports the key for a child process, nil if the archive is locked or not encrypted.
func (l *App) lend() []byte {
	l.box.mu.Lock()
	defer l.box.mu.Unlock()
	if l.box.keys == nil {
		return nil
	}
	return l.box.keys.Export()
}

// borrow unlocks the archive with a key that the parent process exported. Without a key it does nothing.
func (l *App) borrow(key []byte) {
	if keys, err := vault.ImportKey(key); err == nil {
		l.box.put(keys)
	}
}
