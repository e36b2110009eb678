//go:build !linux

package vault

import (
	"errors"
	"time"
)

// Hold fails: this system has no keyring that expires keys.
func (v *Vault) Hold(*Keys, time.Duration) error { return errCannotHold(errors.ErrUnsupported) }

// Held reports that there is no key.
func (v *Vault) Held() (*Keys, bool) { return nil, false }

// Drop does nothing.
func (v *Vault) Drop() (bool, error) { return false, nil }
