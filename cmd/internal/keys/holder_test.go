package keys

import (
	"testing"
	"testing/synctest"
	"time"

	"lens/internal/errs"
	"lens/internal/testenv"
	"lens/internal/vault"
	"lens/internal/vault/vaulttest"
)

var must = testenv.Must

const phrase = vaulttest.Passphrase

// holderOf returns a holder of the archive in dir, with a keyring of its own.
func holderOf(dir string) *Holder { return New(Options{Dir: dir, Vault: vaulttest.Options()}) }

// encrypted returns a folder with the vault of an encrypted archive.
func encrypted(t *testing.T) (dir string) {
	t.Helper()
	dir = t.TempDir()
	v, keys, err := holderOf(dir).NewVault(vaulttest.Alone(phrase))
	must(t, err)
	keys.Zero()
	must(t, v.Save())
	return dir
}

// keysOf returns the keys as a store gets them.
func keysOf(t *testing.T, h *Holder) (*vault.Keys, error) {
	t.Helper()
	v, err := h.Vault()
	must(t, err)
	return h.Keys(v, nil)
}

func TestAutoLock_Sleep(t *testing.T) {
	for name, c := range map[string]struct {
		wall, ran time.Duration
		want      bool
	}{
		"awake":       {wall: 2 * time.Second, ran: 2 * time.Second},
		"slept":       {wall: time.Hour, ran: 2 * time.Second, want: true},
		"a slow tick": {wall: 100 * time.Second, ran: 95 * time.Second},
		"set back":    {wall: -time.Hour, ran: 2 * time.Second},
	} {
		if got := slept(c.wall, c.ran); got != c.want {
			t.Errorf("%s: got %v", name, got)
		}
	}
}

func TestAutoLock_LensLockElsewhere(t *testing.T) {
	dir := encrypted(t)
	h := holderOf(dir)
	must(t, h.Unlock(phrase))
	synctest.Test(t, func(t *testing.T) {
		locks := 0
		h.OnLock(func() { locks++ })
		stop := h.AutoLock()
		defer stop()
		time.Sleep(time.Hour)
		if synctest.Wait(); locks != 0 {
			t.Fatal("locked without a reason")
		}
		_, err := holderOf(dir).Drop()
		must(t, err)
		time.Sleep(2 * watchEvery)
		if synctest.Wait(); locks != 1 || !h.Locked() {
			t.Errorf("locked %d times", locks)
		}
	})
}

// A server asks for the PIN once, and goes on with the key of lens unlock.
func TestForServer_AsksOnce(t *testing.T) {
	server := holderOf(encrypted(t))
	asked := 0
	server.OnSecret(func() (string, error) { asked++; return "a wrong passphrase", nil })
	server.ForServer()
	for range 3 {
		if _, err := keysOf(t, server); errs.CodeOf(err) != errs.Locked {
			t.Errorf("got %v", err)
		}
	}
	if asked != 1 {
		t.Errorf("asked %d times", asked)
	}
}

func TestForServer_TimeOfLensUnlockIsOver(t *testing.T) {
	dir := encrypted(t)
	h := holderOf(dir)
	if err := h.Hold(phrase, time.Hour); err != nil {
		t.Skipf("SKIPPED: this system cannot hold a key: %v", err)
	}
	server := holderOf(dir)
	server.ForServer()
	if _, err := keysOf(t, server); err != nil || server.revoked() {
		t.Errorf("unlocked: %v, revoked %v", err, server.revoked())
	}
	v, err := h.Vault()
	must(t, err)
	_, err = v.Drop() // as the kernel does
	must(t, err)
	if !server.revoked() {
		t.Error("the server still uses a removed key")
	}
	must(t, server.Lock())
	if _, err := keysOf(t, server); errs.CodeOf(err) != errs.Locked {
		t.Errorf("locked: %v", err)
	}
}

func TestUnlock_Twice(t *testing.T) {
	h := holderOf(encrypted(t))
	must(t, h.Unlock(phrase))
	first, err := keysOf(t, h)
	must(t, err)
	must(t, h.Unlock(phrase))
	if _, err := first.Derive("anything"); err != nil {
		t.Errorf("with the first key: %v", err)
	}
	must(t, h.Lock())
	if _, err := first.Derive("anything"); err == nil {
		t.Error("the key outlives the lock")
	}
}
