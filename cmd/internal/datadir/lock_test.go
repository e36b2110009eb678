package datadir

import (
	"testing"

	"lens/cmd/internal/keys"
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
	h, err := l.folder.Home()
	must(t, err)
	key := h.keys
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

func TestRemoteArchive_NeverEncrypted(t *testing.T) {
	server := newArchive(keys.Options{Dir: t.TempDir(), Remote: true})
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
