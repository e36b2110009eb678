package vault

import (
	"fmt"
	"runtime"
	"time"

	"golang.org/x/sys/unix"
)

// keyPermissions lets every process of the same user find and read a key (keyctl_setperm(3): possessor and user, all).
const keyPermissions = 0x3f3f0000

func (v *Vault) keyDescription() string { return fmt.Sprintf("lens:%s:%d", v.name(), v.file.epoch) }

// Hold keeps the key in the user's kernel keyring for d. Errors: unavailable where the system does not allow it.
func (v *Vault) Hold(k *Keys, d time.Duration) error {
	k.mu.RLock()
	defer k.mu.RUnlock()
	if k.dek == nil {
		return errLocked()
	}
	runtime.LockOSThread() // older threads may have another process keyring
	defer runtime.UnlockOSThread()
	id, err := v.addExpiringKey(k.dek, d)
	if err != nil {
		return errCannotHold(err)
	}
	defer func() { // or it stays until the process exits
		_, _ = unix.KeyctlInt(unix.KEYCTL_UNLINK, id, unix.KEY_SPEC_PROCESS_KEYRING, 0, 0)
	}()
	_, _ = v.Drop() // an existing key would keep its old expiry
	if _, err := unix.KeyctlInt(unix.KEYCTL_LINK, id, unix.KEY_SPEC_USER_KEYRING, 0, 0); err != nil {
		return errCannotHold(err)
	}
	return nil
}

// addExpiringKey puts the key into this process's keyring and sets its expiry there. Only then may Hold share it: a
// process that is killed in between must not leave a key that never expires.
func (v *Vault) addExpiringKey(dek []byte, d time.Duration) (id int, err error) {
	id, err = unix.AddKey("user", v.keyDescription(), dek, unix.KEY_SPEC_PROCESS_KEYRING)
	if err != nil {
		return 0, err
	}
	_, err = unix.KeyctlInt(unix.KEYCTL_SET_TIMEOUT, id, int((d+time.Second-1)/time.Second), 0, 0)
	if err == nil {
		err = unix.KeyctlSetperm(id, keyPermissions)
	}
	if err != nil {
		_, _ = unix.KeyctlInt(unix.KEYCTL_UNLINK, id, unix.KEY_SPEC_PROCESS_KEYRING, 0, 0)
	}
	return id, err
}

// Held returns the key that Hold stored, and whether there is one.
func (v *Vault) Held() (*Keys, bool) {
	id, err := unix.KeyctlSearch(unix.KEY_SPEC_USER_KEYRING, "user", v.keyDescription(), 0)
	if err != nil {
		return nil, false
	}
	dek := make([]byte, keyBytes)
	n, err := unix.KeyctlBuffer(unix.KEYCTL_READ, id, dek, 0)
	return newKeysFrom(dek), err == nil && n == keyBytes
}

// Drop revokes the key that Hold stored, and reports whether there was one.
func (v *Vault) Drop() (bool, error) {
	id, err := unix.KeyctlSearch(unix.KEY_SPEC_USER_KEYRING, "user", v.keyDescription(), 0)
	if err != nil {
		return false, nil
	}
	if _, err := unix.KeyctlInt(unix.KEYCTL_REVOKE, id, 0, 0, 0); err != nil {
		return true, errCannotHold(err)
	}
	_, _ = unix.KeyctlInt(unix.KEYCTL_UNLINK, id, unix.KEY_SPEC_USER_KEYRING, 0, 0) // revoked, it is useless already
	return true, nil
}
