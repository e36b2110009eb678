package tui

import (
	"slices"
	"testing"
	"time"

	"lens/tui/timeline"

	"pgregory.net/rapid"

	"lens/retrieval"
)

func TestJumps_FindBinsAndPeaks(t *testing.T) {
	counts := []int{0, 3, 1, 1, 4, 4, 2, 0, 0, 5}
	for name, c := range map[string]struct {
		jump             func([]int, int, int) int
		from, step, want int
	}{
		"the next filled bin":       {timeline.NextFilled, 6, 1, 9},
		"the previous filled bin":   {timeline.NextFilled, 9, -1, 6},
		"none before the first":     {timeline.NextFilled, 1, -1, 1},
		"the next peak":             {timeline.NextPeak, 1, 1, 4},
		"a plateau counts once":     {timeline.NextPeak, 4, 1, 9},
		"the previous peak":         {timeline.NextPeak, 9, -1, 4},
		"a first bin can be a peak": {timeline.NextPeak, 4, -1, 1},
		"no further peak":           {timeline.NextPeak, 9, 1, 9},
	} {
		t.Run(name, func(t *testing.T) {
			if got := c.jump(counts, c.from, c.step); got != c.want {
				t.Errorf("got %d, want %d", got, c.want)
			}
		})
	}
}

func TestHistory_QuickStepsAreOnePlace(t *testing.T) {
	var h history[int]
	now := time.Unix(0, 0)
	h.push(1)
	h.step(2, now)
	h.step(3, now.Add(coalesce/2))
	h.step(4, now.Add(2*coalesce))
	if got := h.past(); !slices.Equal(got, []int{1, 3, 4}) {
		t.Errorf("past is %v", got)
	}
}

// Compares the history with a plain list and an index.
func TestHistory_BackAndForward(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var h history[int]
		var model []int
		at := -1
		t.Repeat(map[string]func(*rapid.T){
			"push": func(t *rapid.T) {
				n := rapid.Int().Draw(t, "place")
				h.push(n)
				model, at = append(model[:at+1], n), at+1
			},
			"back": func(t *rapid.T) {
				got, ok := h.back()
				if ok != (at > 0) {
					t.Fatalf("back from %d: %v", at, ok)
				}
				if ok {
					if at--; got != model[at] {
						t.Fatalf("back to %d, want %d", got, model[at])
					}
				}
			},
			"forward": func(t *rapid.T) {
				got, ok := h.forward()
				if ok != (at+1 < len(model)) {
					t.Fatalf("forward from %d of %d: %v", at, len(model), ok)
				}
				if ok {
					if at++; got != model[at] {
						t.Fatalf("forward to %d, want %d", got, model[at])
					}
				}
			},
			"": func(t *rapid.T) {
				if !slices.Equal(h.past(), model[:at+1]) {
					t.Fatalf("past %v, want %v", h.past(), model[:at+1])
				}
			},
		})
	})
}

func TestProfile_CountsDaysAndLoadedHours(t *testing.T) {
	bin := func(start string, width time.Duration, n int) retrieval.HistogramBin {
		return retrieval.HistogramBin{Start: at(utc(start)), End: at(utc(start)).Add(width), Count: n}
	}
	p := timeline.Profile{Days: timeline.NewTally(retrieval.Histogram{Bins: []retrieval.HistogramBin{
		bin("2024-05-01", 24*time.Hour, 3), bin("2024-05-02", 24*time.Hour, 0), bin("2024-05-03", 24*time.Hour, 5),
	}})}
	hour := timeline.Span{From: utc("2024-05-01 10:00"), To: utc("2024-05-01 11:00")}
	for name, c := range map[string]struct {
		at   timeline.Span
		want int
	}{
		"one day":                    {days("2024-05-01", "2024-05-02"), 3},
		"all days and more":          {days("2020-01-01", "2030-01-01"), 8},
		"a day without any":          {days("2024-05-02", "2024-05-03"), 0},
		"before the first":           {days("2024-04-01", "2024-05-01"), 0},
		"an hour that is not loaded": {hour, 0},
	} {
		if got := p.Within(c.at); got != c.want {
			t.Errorf("%s: %d, want %d", name, got, c.want)
		}
	}
	p.Hours, p.Window = timeline.NewTally(retrieval.Histogram{Bins: []retrieval.HistogramBin{bin("2024-05-01 10:00", time.Hour, 2)}}), days("2024-05-01", "2024-05-02")
	if got := p.Within(hour); got != 2 {
		t.Errorf("the hour holds %d", got)
	}
}
