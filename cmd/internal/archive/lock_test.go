package archive

import (
	"testing"

	"lens/internal/errs"
	"lens/internal/vault/vaulttest"
	"lens/retrieval/query"
)

func TestLock_ClosesEverything(t *testing.T) {
	l := archiveIn(t, t.TempDir())
	l.importDemo(t)
	l.encrypt(t)
	engine, err := l.Engine(t.Context())
	must(t, err)
	beside := New(l.opts, l.keys, l.folder)
	defer beside.Close()
	_, err = beside.Reading(t.Context())
	must(t, err)
	locks := 0
	l.keys.OnLock(func() { locks++ })
	l.keys.OnSecret(func() (string, error) { t.Error("the PIN is asked for"); return "", nil })
	must(t, l.keys.Lock())
	_, peeked := engine.Peek(t.Context(), query.Query{Text: "sourdough"})
	_, again := l.Engine(t.Context())
	_, other := beside.Reading(t.Context())
	for name, err := range map[string]error{
		"engine": peeked, "engine again": again, "beside": other, "state": l.StateFile().Save(1),
	} {
		if errs.CodeOf(err) != errs.Locked {
			t.Errorf("%s: %v", name, err)
		}
	}
	if !l.keys.Locked() || locks != 1 {
		t.Errorf("locked %v, OnLock called %d times", l.keys.Locked(), locks)
	}
	must(t, l.keys.Unlock(vaulttest.Passphrase))
	if _, err := l.Engine(t.Context()); err != nil || l.keys.Locked() {
		t.Errorf("unlocked again: %v", err)
	}
	if _, err := beside.Reading(t.Context()); err != nil {
		t.Errorf("other Lens: %v", err)
	}
}
