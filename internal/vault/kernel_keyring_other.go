//go:build !linux

package vault

import (
	"errors"
	"time"
)

// Hold says that there is no place here that forgets a key by itself.
func (v *Vault) Hold(*Keys, time.Duration) error { return errCannotHold(errors.ErrUnsupported) }

// Held finds nothing.
func (v *Vault) Held() (*Keys, bool) { return nil, false }

// Drop has nothing to take back.
func (v *Vault) Drop() (bool, error) { return false, nil }
