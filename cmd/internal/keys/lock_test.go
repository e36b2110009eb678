package keys

import (
	"testing"
	"testing/synctest"
	"time"

	"lens/internal/errs"
	"lens/internal/vault"
	"lens/store"
)

func TestLock_ClosesEverything(t *testing.T) {
	l := archiveIn(t, t.TempDir())
	l.fill()
	must(t, l.mover.Encrypt(t.Context(), alone(onePhrase)))
	st, err := l.open()
	must(t, err)
	beside := &archive{t: t, dir: l.dir, keys: l.keys, folder: l.folder}
	_, err = beside.open()
	must(t, err)
	locks := 0
	l.keys.OnLock(func() { locks++ })
	l.keys.OnSecret(func() (string, error) { t.Error("the PIN is asked for"); return "", nil })
	key := l.keys.keys
	must(t, l.keys.Lock())
	_, counted := st.CountPending(t.Context(), 0, store.Filter{})
	_, again := l.open()
	_, other := beside.open()
	_, derived := key.Derive("anything")
	for name, err := range map[string]error{
		"store": counted, "store again": again, "beside": other, "state": l.state().Save(1), "key": derived,
	} {
		if errs.CodeOf(err) != errs.Locked {
			t.Errorf("%s: %v", name, err)
		}
	}
	if !l.keys.Locked() || locks != 1 {
		t.Errorf("locked %v, OnLock called %d times", l.keys.Locked(), locks)
	}
	must(t, l.keys.Unlock(onePhrase))
	if _, err := l.contents(); err != nil || l.keys.Locked() {
		t.Errorf("unlocked again: %v", err)
	}
	if _, err := beside.open(); err != nil {
		t.Errorf("beside: %v", err)
	}
	must(t, beside.Close())
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
	dir := t.TempDir()
	l := archiveIn(t, dir)
	l.fill()
	must(t, l.mover.Encrypt(t.Context(), alone(onePhrase)))
	synctest.Test(t, func(t *testing.T) {
		locks := 0
		l.keys.OnLock(func() { locks++ })
		stop := l.keys.AutoLock()
		defer stop()
		time.Sleep(time.Hour)
		if synctest.Wait(); locks != 0 {
			t.Fatal("locked without a reason")
		}
		_, err := archiveIn(t, dir).keys.Drop()
		must(t, err)
		time.Sleep(2 * watchEvery)
		if synctest.Wait(); locks != 1 || !l.keys.Locked() {
			t.Errorf("locked %d times", locks)
		}
	})
}

// A server asks for the PIN once, and goes on with the key of lens unlock.
func TestForServer_AsksOnce(t *testing.T) {
	dir := t.TempDir()
	l := archiveIn(t, dir)
	must(t, l.mover.Encrypt(t.Context(), alone(onePhrase)))
	server := archiveIn(t, dir)
	asked := 0
	server.keys.OnSecret(func() (string, error) { asked++; return "a wrong passphrase", nil })
	server.keys.ForServer()
	for range 3 {
		if _, err := server.open(); errs.CodeOf(err) != errs.Locked {
			t.Errorf("got %v", err)
		}
	}
	if asked != 1 {
		t.Errorf("asked %d times", asked)
	}
}

func TestForServer_TimeOfLensUnlockIsOver(t *testing.T) {
	dir := t.TempDir()
	l := archiveIn(t, dir)
	must(t, l.mover.Encrypt(t.Context(), alone(onePhrase)))
	if err := l.keys.Hold(onePhrase, time.Hour); err != nil {
		t.Skipf("SKIPPED: this system cannot hold a key: %v", err)
	}
	server := archiveIn(t, dir)
	server.keys.ForServer()
	if _, err := server.open(); err != nil || server.keys.revoked() {
		t.Errorf("unlocked: %v, revoked %v", err, server.keys.revoked())
	}
	v, err := l.keys.load()
	must(t, err)
	_, err = v.Drop() // as the kernel does
	must(t, err)
	if !server.keys.revoked() {
		t.Error("the server still uses a removed key")
	}
	must(t, server.keys.Lock())
	if _, err := server.open(); errs.CodeOf(err) != errs.Locked {
		t.Errorf("locked: %v", err)
	}
}

func TestKey_ExportedToChildProcess(t *testing.T) {
	dir := t.TempDir()
	l := archiveIn(t, dir)
	l.fill()
	if l.keys.Export() != nil {
		t.Error("got a key of an unencrypted archive")
	}
	must(t, l.mover.Encrypt(t.Context(), alone(onePhrase)))
	worker := archiveIn(t, dir)
	worker.keys.Import(nil)
	if !worker.keys.Locked() {
		t.Error("an empty key unlocks the archive")
	}
	worker.keys.Import(l.keys.Export())
	if _, err := worker.contents(); err != nil {
		t.Error(err)
	}
}

func TestUnlock_Twice(t *testing.T) {
	l := archiveIn(t, t.TempDir())
	l.fill()
	must(t, l.mover.Encrypt(t.Context(), alone(onePhrase)))
	h, err := l.folder.Home()
	must(t, err)
	must(t, l.keys.Unlock(onePhrase))
	if _, err := h.keys.Derive("anything"); err != nil {
		t.Errorf("with the first key: %v", err)
	}
	must(t, l.keys.Lock())
	if _, err := h.keys.Derive("anything"); err == nil {
		t.Error("the key outlives the lock")
	}
}

func TestRemoteArchive_NeverEncrypted(t *testing.T) {
	server := newArchive(Options{Dir: t.TempDir(), Remote: true})
	err := server.mover.Encrypt(t.Context(), alone(onePhrase))
	if errs.CodeOf(err) != errs.Invalid {
		t.Errorf("got %v", err)
	}
	if server.keys.Encrypted() || server.keys.Locked() {
		t.Error("reported as encrypted")
	}
	if err := server.keys.ChangePIN("", vault.Secrets{}); errs.CodeOf(err) != errs.Invalid {
		t.Errorf("ChangePIN: %v", err)
	}
}
