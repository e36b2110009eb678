package app

import (
	"testing"
	"time"

	"lens/internal/errs"
	"lens/retrieval"
)

func TestLock_ClosesEverything(t *testing.T) {
	l := lensIn(t, t.TempDir())
	fill(t, l)
	must(t, l.Encrypt(t.Context(), alone(onePhrase)))
	engine, err := l.Engine(t.Context())
	must(t, err)
	beside := l.Beside("import")
	defer beside.Close()
	_, err = beside.Reading(t.Context())
	must(t, err)
	told := 0
	l.OnLock(func() { told++ })
	l.OnSecret(func() (string, error) { t.Error("the PIN is asked for"); return "", nil })
	key := l.box.keys
	must(t, l.Lock())
	_, peeked := engine.Peek(t.Context(), canary, retrieval.PeekOptions{})
	_, again := l.Engine(t.Context())
	_, other := beside.Reading(t.Context())
	_, derived := key.Derive("anything")
	for name, err := range map[string]error{
		"engine": peeked, "engine again": again, "beside": other,
		"desk": l.Desk().Keep(1), "key": derived,
	} {
		if errs.CodeOf(err) != errs.Locked {
			t.Errorf("%s: %v", name, err)
		}
	}
	if !l.Locked() || told != 1 {
		t.Errorf("locked %v, OnLock called %d times", l.Locked(), told)
	}
	must(t, l.Unlock(onePhrase))
	if _, err := contents(l); err != nil || l.Locked() {
		t.Errorf("unlocked again: %v", err)
	}
	if _, err := beside.Reading(t.Context()); err != nil {
		t.Errorf("other Lens: %v", err)
	}
}

func TestAutoLock_IdleAndSleep(t *testing.T) {
	day := time.Date(2026, 5, 1, 12, 0, 0, 0, time.UTC)
	at := func(wall, ran time.Duration) clocks { return clocks{day.Add(wall), ran} }
	for name, c := range map[string]struct {
		idle    time.Duration
		touched time.Duration
		opened  time.Duration
		now     clocks
		want    bool
	}{
		"busy": {idle: time.Minute, touched: 50 * time.Second, now: at(100*time.Second, 100*time.Second)},
		"idle": {
			idle: time.Minute, touched: 40 * time.Second, now: at(100*time.Second, 100*time.Second),
			want: true,
		},
		"unlocked lately": {idle: time.Minute, opened: 90 * time.Second, now: at(100*time.Second, 100*time.Second)},
		"idle, no limit":  {now: at(time.Hour, time.Hour)},
		"slept":           {now: at(100*time.Second, 80*time.Second), want: true},
		"a slow tick":     {now: at(100*time.Second, 95*time.Second)},
	} {
		w := newWatch(c.idle, at(0, 0))
		w.touch(at(c.touched, c.touched))
		if got := w.due(c.now, day.Add(c.opened)); got != c.want {
			t.Errorf("%s: got due %v", name, got)
		}
	}
}

func TestAutoLock_LensLockElsewhere(t *testing.T) {
	every := watchEvery
	watchEvery = 5 * time.Millisecond
	dir := t.TempDir()
	l := lensIn(t, dir)
	fill(t, l)
	must(t, l.Encrypt(t.Context(), alone(onePhrase)))
	locked := make(chan struct{}, 1)
	l.OnLock(func() { locked <- struct{}{} })
	touch, stop := l.AutoLock(time.Hour)
	t.Cleanup(func() { stop(); watchEvery = every })
	touch()
	other := lensIn(t, dir)
	l.box.mu.Lock()
	l.box.since = time.Now().Add(time.Hour) // as if the clock had been set back since
	l.box.mu.Unlock()
	_, err := other.Drop()
	must(t, err)
	select {
	case <-locked:
	case <-time.After(time.Minute):
		t.Fatal("not locked after a minute")
	}
	if !l.Locked() {
		t.Error("Locked is true, but the archive opens")
	}
}

func TestKey_ExportedToChildProcess(t *testing.T) {
	dir := t.TempDir()
	l := lensIn(t, dir)
	fill(t, l)
	if l.lend() != nil {
		t.Error("got a key of an unencrypted archive")
	}
	must(t, l.Encrypt(t.Context(), alone(onePhrase)))
	worker := lensIn(t, dir)
	worker.borrow(nil)
	if !worker.Locked() {
		t.Error("an empty key unlocks the archive")
	}
	worker.borrow(l.lend())
	if _, err := contents(worker); err != nil {
		t.Error(err)
	}
}

func TestUnlock_Twice(t *testing.T) {
	l := lensIn(t, t.TempDir())
	fill(t, l)
	must(t, l.Encrypt(t.Context(), alone(onePhrase)))
	h, err := l.home()
	must(t, err)
	must(t, l.Unlock(onePhrase))
	if _, err := h.keys.Derive("anything"); err != nil {
		t.Errorf("with the first key: %v", err)
	}
	must(t, l.Lock())
	if _, err := h.keys.Derive("anything"); err == nil {
		t.Error("the key outlives the lock")
	}
}
