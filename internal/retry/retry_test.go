package retry

import (
	"context"
	"net/http"
	"testing"
	"testing/synctest"
	"time"
)

var noon = time.Date(2026, 5, 1, 12, 0, 0, 0, time.UTC)

func TestAfter(t *testing.T) {
	for _, c := range []struct {
		name, header, value string
		want                time.Duration
	}{
		{"seconds", "Retry-After", "20", 20 * time.Second},
		{"a fraction of a second", "Retry-After", "0.5", 500 * time.Millisecond},
		{"milliseconds", "retry-after-ms", "1500", 1500 * time.Millisecond},
		{"a date in the future", "Retry-After", "Fri, 01 May 2026 12:01:30 GMT", 90 * time.Second},
		{"a date in the past", "Retry-After", "Fri, 01 May 2026 11:00:00 GMT", 0},
		{"none", "Other", "1", 0},
		{"a negative number", "Retry-After", "-5", 0},
		{"a word", "Retry-After", "soon", 0},
		{"not a number", "Retry-After", "NaN", 0},
		{"too long", "Retry-After", "1e300", 24 * time.Hour},
	} {
		t.Run(c.name, func(t *testing.T) {
			h := http.Header{}
			h.Set(c.header, c.value)
			if got := After(h, noon); got != c.want {
				t.Errorf("%s: %s: got %v, want %v", c.header, c.value, got, c.want)
			}
		})
	}
}

func FuzzAfter(f *testing.F) {
	f.Add("20", "")
	f.Add("Fri, 01 May 2026 12:01:30 GMT", "")
	f.Add("-1", "1e999")
	f.Fuzz(func(t *testing.T, seconds, ms string) {
		h := http.Header{"Retry-After": {seconds}}
		if ms != "" {
			h["Retry-After-Ms"] = []string{ms}
		}
		if got := After(h, noon); got < 0 || got > 24*time.Hour {
			t.Errorf("%q %q: got %v", seconds, ms, got)
		}
	})
}

func TestBackoff(t *testing.T) {
	for n, want := range map[int]time.Duration{
		1: time.Second, 2: 2 * time.Second, 4: 8 * time.Second, 9: maxBackoff,
		900: maxBackoff,
	} {
		for range 50 {
			if got := Backoff(time.Second, n); got < want/2 || got > want {
				t.Fatalf("wait %d: got %v, want between %v and %v", n, got, want/2, want)
			}
		}
	}
}

func TestAttempts_Again(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		made := Attempts{Max: 2, First: time.Second}
		for range 5 { // limits of the rate do not count
			if !made.Again(t.Context(), false, 0) {
				t.Fatal("gave up before the first failure")
			}
		}
		started := time.Now()
		if !made.Again(t.Context(), true, time.Minute) || time.Since(started) < time.Minute {
			t.Errorf("waited %v, want at least the minute that the server asks for", time.Since(started))
		}
		if made.Again(t.Context(), true, 0) {
			t.Error("tries again after the last failure")
		}
		hurried, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		made, started = Attempts{Max: 9}, time.Now()
		if made.Again(hurried, true, time.Hour) || time.Since(started) > 0 {
			t.Error("waits beyond the deadline")
		}
	})
}

func TestAttempts_EndWithContext(t *testing.T) {
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	if _, again := (&Attempts{Max: 2}).Next(ended, true, 0); again {
		t.Error("would be made again after the end")
	}
}

func TestAttempts_NextSaysHowOften(t *testing.T) {
	made := Attempts{Max: 3, MaxWaits: 3, First: time.Second}
	for i, c := range []struct {
		failed bool
		want   Wait
		ok     bool
	}{
		{false, Wait{N: 1, Of: 3}, true},
		{true, Wait{N: 1, Of: 2}, true},
		{true, Wait{N: 2, Of: 2}, true},
		{false, Wait{N: 4, Of: 3}, false},
	} {
		w, ok := made.Next(t.Context(), c.failed, time.Minute)
		if w.For < time.Minute {
			t.Errorf("wait %d: %v, want at least what the server asks for", i+1, w.For)
		}
		if w.For = 0; w != c.want || ok != c.ok {
			t.Errorf("wait %d: got %+v, %v, want %+v, %v", i+1, w, ok, c.want, c.ok)
		}
	}
}
