package vault

import (
	"fmt"
	"runtime"
	"time"

	"golang.org/x/sys/unix"
)

// readable lets every process of the same user find and read a key of the user's keyring (keyctl_setperm(3): possessor and user, all).
const keyPermissions = 0x3f3f0000

func (v *Vault) keyDescription() string { return fmt.Sprintf("lens:%s:%d", v.name(), v.file.epoch) }

// Hold keeps the key in the kernel's keyring of this user for d. Errors: unavailable where the system does not allow it.
func (v *Vault) Hold(k *Keys, d time.Duration) error {
	k.mu.RLock()
	defer k.mu.RUnlock()
	if k.dek == nil {
		return errLocked()
	}
	runtime.LockOSThread() // the keyring of a process is one thread's where others were there before
	defer runtime.UnlockOSThread()
	id, err := v.addExpiringKey(k.dek, d)
	if err != nil {
		return errCannotHold(err)
	}
	defer func() { _, _ = unix.KeyctlInt(unix.KEYCTL_UNLINK, id, unix.KEY_SPEC_PROCESS_KEYRING, 0, 0) }() // else it goes with the process
	_, _ = v.Drop()                                                                                       // a key that is there already keeps its time
	if _, err := unix.KeyctlInt(unix.KEYCTL_LINK, id, unix.KEY_SPEC_USER_KEYRING, 0, 0); err != nil {
		return errCannotHold(err)
	}
	return nil
}

// expiring returns a key that forgets itself, in the keyring of this process: who ends the process before has left none that does not.
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

// Held returns the key that Hold kept; false when there is none.
func (v *Vault) Held() (*Keys, bool) {
	id, err := unix.KeyctlSearch(unix.KEY_SPEC_USER_KEYRING, "user", v.keyDescription(), 0)
	if err != nil {
		return nil, false
	}
	dek := make([]byte, keyBytes)
	n, err := unix.KeyctlBuffer(unix.KEYCTL_READ, id, dek, 0)
	return newKeysFrom(dek), err == nil && n == keyBytes
}

// Drop takes back what Hold kept, and reports whether there was anything.
func (v *Vault) Drop() (bool, error) {
	id, err := unix.KeyctlSearch(unix.KEY_SPEC_USER_KEYRING, "user", v.keyDescription(), 0)
	if err != nil {
		return false, nil
	}
	if _, err := unix.KeyctlInt(unix.KEYCTL_REVOKE, id, 0, 0, 0); err != nil {
		return true, errCannotHold(err)
	}
	_, _ = unix.KeyctlInt(unix.KEYCTL_UNLINK, id, unix.KEY_SPEC_USER_KEYRING, 0, 0) // revoked it is of no use already
	return true, nil
}
