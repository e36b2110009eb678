package vault

import (
	"fmt"
	"time"

	"golang.org/x/sys/unix"
)

// readable lets every process of the same user find and read a key of the user's keyring (keyctl_setperm(3): possessor and user, all).
const readable = 0x3f3f0000

func (v *Vault) held() string { return fmt.Sprintf("lens:%s:%d", v.name(), v.wrap.epoch) }

// Hold keeps the key in the kernel's keyring of this user for d. Errors: unavailable where the system does not allow it.
func (v *Vault) Hold(k *Keys, d time.Duration) error {
	k.mu.RLock()
	defer k.mu.RUnlock()
	if k.dek == nil {
		return errLocked()
	}
	_, _ = v.Drop() // a key that is there already keeps its time
	id, err := unix.AddKey("user", v.held(), k.dek, unix.KEY_SPEC_USER_KEYRING)
	if err == nil {
		_, err = unix.KeyctlInt(unix.KEYCTL_SET_TIMEOUT, id, int((d+time.Second-1)/time.Second), 0, 0)
	}
	if err == nil {
		err = unix.KeyctlSetperm(id, readable)
	}
	if err != nil {
		_, _ = v.Drop() // a key that does not forget itself must not stay
		return cannotHold(err)
	}
	return nil
}

// Held returns the key that Hold kept; false when there is none.
func (v *Vault) Held() (*Keys, bool) {
	id, err := unix.KeyctlSearch(unix.KEY_SPEC_USER_KEYRING, "user", v.held(), 0)
	if err != nil {
		return nil, false
	}
	dek := make([]byte, keyBytes)
	n, err := unix.KeyctlBuffer(unix.KEYCTL_READ, id, dek, 0)
	return keysOf(dek), err == nil && n == keyBytes
}

// Drop takes back what Hold kept, and reports whether there was anything.
func (v *Vault) Drop() (bool, error) {
	id, err := unix.KeyctlSearch(unix.KEY_SPEC_USER_KEYRING, "user", v.held(), 0)
	if err != nil {
		return false, nil
	}
	if _, err := unix.KeyctlInt(unix.KEYCTL_REVOKE, id, 0, 0, 0); err != nil {
		return true, cannotHold(err)
	}
	_, _ = unix.KeyctlInt(unix.KEYCTL_UNLINK, id, unix.KEY_SPEC_USER_KEYRING, 0, 0) // revoked it is of no use already
	return true, nil
}
