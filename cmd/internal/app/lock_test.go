package app

import (
	"testing"

	"lens/internal/errs"
	"lens/retrieval"
)

func TestLock_ClosesEverything(t *testing.T) {
	l := lensIn(t, t.TempDir())
	fill(t, l)
	must(t, l.Mover.Encrypt(t.Context(), alone(onePhrase)))
	engine, err := l.Engine(t.Context())
	must(t, err)
	beside := l.Beside("import")
	defer beside.Close()
	_, err = beside.Reading(t.Context())
	must(t, err)
	told := 0
	l.Keys.OnLock(func() { told++ })
	l.Keys.OnSecret(func() (string, error) { t.Error("the PIN is asked for"); return "", nil })
	must(t, l.Keys.Lock())
	_, peeked := engine.Peek(t.Context(), canary, retrieval.PeekOptions{})
	_, again := l.Engine(t.Context())
	_, other := beside.Reading(t.Context())
	for name, err := range map[string]error{
		"engine": peeked, "engine again": again, "beside": other, "state": l.StateFile().Save(1),
	} {
		if errs.CodeOf(err) != errs.Locked {
			t.Errorf("%s: %v", name, err)
		}
	}
	if !l.Keys.Locked() || told != 1 {
		t.Errorf("locked %v, OnLock called %d times", l.Keys.Locked(), told)
	}
	must(t, l.Keys.Unlock(onePhrase))
	if _, err := contents(l); err != nil || l.Keys.Locked() {
		t.Errorf("unlocked again: %v", err)
	}
	if _, err := beside.Reading(t.Context()); err != nil {
		t.Errorf("other Lens: %v", err)
	}
}
