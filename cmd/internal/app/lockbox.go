package app

import (
	"slices"
	"sync"
	"time"

	"lens/internal/vault"
)

// lockbox holds the key of an archive, shared by every Lens of this process that uses the archive.
type lockbox struct {
	opts  vault.Options // tests set their own
	owner *App

	mu       sync.Mutex
	keys     *vault.Keys // nil: locked
	left     bool        // the keys come from lens unlock
	shut     bool        // after Lock: do not ask for the PIN until Unlock
	heeds    bool        // a key from lens unlock counts after Lock, too: nothing else unlocks a server
	since    time.Time   // when it was unlocked
	lastLock string      // the value of App.lastLock when it was unlocked
	opened   []*App
	told     []func()
}

// put stores keys until the archive is locked. If there are keys already, those stay in use and the new ones are
// erased.
func (b *lockbox) put(keys *vault.Keys) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.keys != nil {
		keys.Zero()
		return
	}
	b.shut = false
	b.open(keys, false)
}

// open sets the keys. b.mu is held.
func (b *lockbox) open(keys *vault.Keys, left bool) {
	b.keys, b.left, b.since, b.lastLock = keys, left, time.Now(), b.owner.lastLock()
}

// replace sets other keys, or none. No store is open.
func (b *lockbox) replace(keys *vault.Keys) {
	b.mu.Lock()
	if b.keys != nil {
		b.keys.Zero()
	}
	b.keys = nil
	b.mu.Unlock()
	if keys != nil {
		b.put(keys)
	}
}

// hold returns the keys, including those from lens unlock, nil if there are none. b.mu is held.
func (b *lockbox) hold(v *vault.Vault) *vault.Keys {
	if b.keys == nil && (!b.shut || b.heeds) {
		if keys, ok := v.Held(); ok {
			b.open(keys, true)
		}
	}
	return b.keys
}

// leave removes l. The keys are erased with the Lens that created the lockbox.
func (b *lockbox) leave(l *App) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.opened = slices.DeleteFunc(b.opened, func(one *App) bool { return one == l })
	if b.owner == l && b.keys != nil {
		b.keys.Zero()
		b.keys = nil
	}
}

// enter adds l to those that Lock locks. b.mu is held.
func (b *lockbox) enter(l *App) {
	if !slices.Contains(b.opened, l) {
		b.opened = append(b.opened, l)
	}
}
