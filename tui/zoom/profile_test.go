package zoom

import (
	"testing"
	"time"

	"lens/retrieval"
)

func TestProfile_CountsDaysAndLoadedHours(t *testing.T) {
	bin := func(start string, width time.Duration, n int) retrieval.HistogramBin {
		return retrieval.HistogramBin{Start: at(utc(start)), End: at(utc(start)).Add(width), Count: n}
	}
	p := Profile{Days: NewTally(retrieval.Histogram{Bins: []retrieval.HistogramBin{
		bin("2024-05-01", 24*time.Hour, 3), bin("2024-05-02", 24*time.Hour, 0), bin("2024-05-03", 24*time.Hour, 5),
	}})}
	hour := Span{From: utc("2024-05-01 10:00"), To: utc("2024-05-01 11:00")}
	for name, c := range map[string]struct {
		at   Span
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
	p.Hours, p.Window = NewTally(retrieval.Histogram{Bins: []retrieval.HistogramBin{bin("2024-05-01 10:00", time.Hour, 2)}}), days("2024-05-01", "2024-05-02")
	if got := p.Within(hour); got != 2 {
		t.Errorf("the hour holds %d", got)
	}
}
