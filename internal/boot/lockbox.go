package boot

import (
	"slices"
	"sync"
	"time"

	"lens/internal/vault"
)

// lockbox is the key of an archive, for every Lens of this process over it.
type lockbox struct {
	opts  vault.Options // tests have their own
	owner *Lens

	mu       sync.Mutex
	keys     *vault.Keys // nil: locked
	left     bool        // they are those that lens unlock left
	shut     bool        // by Lock: nobody is asked, until Unlock
	heeds    bool        // what lens unlock leaves opens it also after Lock: there is nobody to call Unlock
	since    time.Time   // it has been open
	lastLock string      // of lens lock, before it was opened
	opened   []*Lens
	told     []func()
}

// put keeps keys until the archive is locked. Where there are some, they are in use, and these are not needed.
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

// open has keys from now on. b.mu is held.
func (b *lockbox) open(keys *vault.Keys, left bool) {
	b.keys, b.left, b.since, b.lastLock = keys, left, time.Now(), b.owner.lastLock()
}

// replace keeps other keys from now on. Nothing is open.
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

// hold returns the keys, also those that lens unlock left for a while; nil when there are none. b.mu is held.
func (b *lockbox) hold(v *vault.Vault) *vault.Keys {
	if b.keys == nil && (!b.shut || b.heeds) {
		if keys, ok := v.Held(); ok {
			b.open(keys, true)
		}
	}
	return b.keys
}

// leave forgets l, and the keys with the Lens that they were first for.
func (b *lockbox) leave(l *Lens) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.opened = slices.DeleteFunc(b.opened, func(one *Lens) bool { return one == l })
	if b.owner == l && b.keys != nil {
		b.keys.Zero()
		b.keys = nil
	}
}

// enter remembers whom Lock locks. b.mu is held.
func (b *lockbox) enter(l *Lens) {
	if !slices.Contains(b.opened, l) {
		b.opened = append(b.opened, l)
	}
}
