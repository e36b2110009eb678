package main

import (
	"slices"
	"testing"
	"time"

	"lens/internal/errs"
	"lens/retrieval"
	"lens/retrieval/query"
)

func TestCompare_Modes(t *testing.T) {
	by := func(modes ...query.Mode) (all []*retrieval.Peek) {
		for _, mode := range modes {
			all = append(all, &retrieval.Peek{Mode: mode})
		}
		return all
	}
	queries := []string{"opruimen", "docker", "interview"}
	same := modesOf(by(query.Hybrid, query.Hybrid, query.Hybrid), queries)
	mixed := modesOf(by(query.Keyword, query.Hybrid, query.Keyword), queries)
	if !slices.Equal(same, []string{"hybrid"}) || !slices.Equal(mixed, []string{"keyword (opruimen, interview)", "hybrid (docker)"}) {
		t.Errorf("got %q and %q", same, mixed)
	}
}

// Where lines cover each other, the highest bins are still named.
func TestCompare_HighestBins(t *testing.T) {
	weekly := func(counts ...int) *retrieval.Peek {
		h := retrieval.Histogram{Bin: "week"}
		for i, n := range counts {
			start := time.Date(2023, 4, 3+7*i, 0, 0, 0, 0, time.UTC)
			h.Bins = append(h.Bins, retrieval.HistogramBin{Start: start, End: start.AddDate(0, 0, 7), Count: n})
		}
		return &retrieval.Peek{Histogram: h}
	}
	got := highestBins([]*retrieval.Peek{weekly(5, 4), weekly(0, 0), weekly(0, 9), weekly(1, 1)}, []string{"opruimen", "none", "docker", "tie"})
	want := []string{
		"opruimen 5 in the week of 2023-04-03", "docker 9 in the week of 2023-04-10", "tie 1 first in the week of 2023-04-03",
	}
	if !slices.Equal(got, want) {
		t.Errorf("got %q", got)
	}
	if got := highestBins([]*retrieval.Peek{weekly(5)}, []string{"one"}); got != nil {
		t.Errorf("one bin: got %q", got)
	}
}

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
