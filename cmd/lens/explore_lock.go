package main

import (
	"context"
	"time"

	"lens/cmd/internal/app"
	"lens/cmd/internal/keys"
	"lens/tui"
)

// explorerVault lets the explorer lock and unlock an encrypted archive.
type explorerVault struct{ *keys.Holder }

func (v explorerVault) Unlock(_ context.Context, pin string) error { return v.Holder.Unlock(pin) }

// lockAfter is how long an explorer of an encrypted archive stays open without a key.
const lockAfter = 15 * time.Minute

// guard makes the explorer of an encrypted archive ask for the PIN once it is locked: by the user, lens lock, a
// timeout, or the machine's sleep.
func guard(l *app.App, opts *tui.Options) (stop func()) {
	if !l.Keys.Encrypted() {
		return func() {}
	}
	locked := make(chan struct{}, 1)
	l.Keys.OnLock(func() {
		select {
		case locked <- struct{}{}:
		default:
		}
	})
	opts.Vault, opts.LockAfter, opts.Locked = explorerVault{l.Keys}, lockAfter, locked
	return l.Keys.AutoLock()
}

// keepOn returns a function that saves the explorer's session. While the archive is locked, it keeps the one saved
// before.
func keepOn(l *app.App) func(tui.Session) error {
	return func(kept tui.Session) error {
		if err := l.StateFile().Save(kept); err != nil && !l.Keys.Locked() {
			return err
		}
		return nil
	}
}
