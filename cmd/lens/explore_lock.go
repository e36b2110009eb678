package main

import (
	"context"
	"time"

	"lens/cmd/internal/keys"
	tui "lens/tui/app"
)

// explorerVault lets the explorer lock and unlock an encrypted archive.
type explorerVault struct{ *keys.Holder }

func (v explorerVault) Unlock(_ context.Context, pin string) error { return v.Holder.Unlock(pin) }

// lockAfter is how long an explorer of an encrypted archive stays open without a key.
const lockAfter = 15 * time.Minute

// lock makes the explorer of an encrypted archive ask for the PIN once it is locked: by the user, lens lock, a timeout,
// or the machine's sleep.
func (e *explorer) lock() (lock tui.Lock, stop func()) {
	if !e.app.Keys.Encrypted() {
		return tui.Lock{}, func() {}
	}
	locked := make(chan struct{}, 1)
	e.app.Keys.OnLock(func() {
		select {
		case locked <- struct{}{}:
		default:
		}
	})
	lock = tui.Lock{Vault: explorerVault{e.app.Keys}, After: lockAfter, Elsewhere: locked}
	return lock, e.app.Keys.AutoLock()
}
