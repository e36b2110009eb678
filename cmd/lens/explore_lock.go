package main

import (
	"context"
	"time"

	"lens/cmd/internal/keys"
	"lens/tui"
)

// explorerVault lets the explorer lock and unlock an encrypted archive.
type explorerVault struct{ *keys.Holder }

func (v explorerVault) Unlock(_ context.Context, pin string) error { return v.Holder.Unlock(pin) }

// lockAfter is how long an explorer of an encrypted archive stays open without a key.
const lockAfter = 15 * time.Minute

// lockable makes the explorer of an encrypted archive ask for the PIN once it is locked: by the user, lens lock, a
// timeout, or the machine's sleep.
func (e *explorer) lockable(opts *tui.Options) (stop func()) {
	if !e.app.Keys.Encrypted() {
		return func() {}
	}
	locked := make(chan struct{}, 1)
	e.app.Keys.OnLock(func() {
		select {
		case locked <- struct{}{}:
		default:
		}
	})
	opts.Vault, opts.LockAfter, opts.Locked = explorerVault{e.app.Keys}, lockAfter, locked
	return e.app.Keys.AutoLock()
}
