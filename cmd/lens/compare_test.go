package main

import (
	"testing"
	"time"

	"lens/internal/errs"
)

func FuzzCompare_ThenNow(f *testing.F) {
	for _, seed := range [][2]string{
		{"2023", "2024"}, {"2023", ""}, {"", "2024"}, {"2023..2024-02", "last 90d"}, {"..2022", "yesterday"}, {"2024..", ""}, {"9999", ""}, {"\x00", "q1"},
	} {
		f.Add(seed[0], seed[1])
	}
	at := time.Date(2024, 5, 3, 12, 0, 0, 0, time.UTC)
	f.Fuzz(func(t *testing.T, first, second string) {
		typed := periodFlags{first, second}
		then, now, err := typed.read(at)
		if err != nil {
			if !errs.From(err, opUsage) || errs.First(err).Message == "" {
				t.Fatalf("%+v: %v", typed, err)
			}
			return
		}
		for _, w := range []struct{ since, until time.Time }{{then.Since, then.Until}, {now.Since, now.Until}} {
			if w.since.IsZero() && w.until.IsZero() || !w.since.IsZero() && !w.until.IsZero() && !w.since.Before(w.until) {
				t.Fatalf("%+v: %v", typed, w)
			}
		}
		if second == "" && !now.Since.Equal(then.Until) {
			t.Fatalf("%+v: the second period starts %v, the first ends %v", typed, now.Since, then.Until)
		}
	})
}
