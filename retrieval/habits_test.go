package retrieval_test

import (
	"testing"
	"time"

	"lens/internal/demo"
	"lens/internal/testenv"
	"lens/retrieval"
	"lens/retrieval/query"
	"lens/store/archivetest"
)

// Habits are those of the clock on the wall: in another zone the same turns fall on other hours and days.
func TestHabits_Zone(t *testing.T) {
	e := retrieval.New(archivetest.New(t, testenv.Demo(t, demo.Options{Turns: 300})), nil)
	utc, err := e.Habits(t.Context(), time.UTC)
	testenv.Must(t, err)
	east, err := e.Habits(t.Context(), time.FixedZone("east", 5*3600))
	testenv.Must(t, err)
	hours, weekdays := 0, 0
	for h, n := range utc.Hours {
		if hours += n; east.Hours[(h+5)%24] != n {
			t.Errorf("%d turns at %d:00 UTC, %d five hours later in the east", n, h, east.Hours[(h+5)%24])
		}
	}
	for _, n := range utc.Weekdays {
		weekdays += n
	}
	dated, err := e.About(t.Context(), retrieval.Window{Since: time.Unix(0, 0)})
	testenv.Must(t, err)
	if hours != dated.Turns || weekdays != dated.Turns || utc.Weekdays == east.Weekdays {
		t.Errorf("%d turns by hour and %d by weekday, want %d; in the east %v", hours, weekdays, dated.Turns, east.Weekdays)
	}
}

// BenchmarkHome reads what the explorer's home shows of a large archive whose topics are kept: each quarter, the topics,
// and the habits.
func BenchmarkHome(b *testing.B) {
	st := archivetest.New(b, testenv.Demo(b, demo.Options{Turns: largeTurns}))
	testenv.Must(b, retrieval.New(st, nil).MakeTopics(b.Context(), keeping(st)))
	e := retrieval.New(st, nil)
	var quarters []retrieval.Window
	for at := time.Date(2021, 10, 1, 0, 0, 0, 0, time.UTC); at.Year() < 2027; at = at.AddDate(0, 3, 0) {
		quarters = append(quarters, retrieval.Window{Since: at, Until: at.AddDate(0, 3, 0)})
	}
	for b.Loop() {
		_, err := e.AboutEach(b.Context(), quarters...)
		testenv.Must(b, err)
		_, err = e.Topics(b.Context(), query.Query{Bin: "6mo"})
		testenv.Must(b, err)
		_, err = e.Habits(b.Context(), time.Local)
		testenv.Must(b, err)
	}
}
