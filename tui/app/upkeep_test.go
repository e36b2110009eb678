package app

import (
	"context"
	"testing"
)

func TestUpkeep_BeginsByItselfOnce(t *testing.T) {
	asked, done := 0, 0
	d := drive(Options{
		Archive: over(newFake(10)),
		Jobs: &fakeJobs{upkeep: func(context.Context) *Work {
			asked++
			return &Work{Name: "indexing", Unit: "turns", Do: func(context.Context, func(done, total int64)) (string, error) {
				done++
				return "every filter works", nil
			}}
		}},
	}, 100, 30)
	d.work()
	if asked != 1 || done != 1 || d.footer.Notice() != "every filter works" {
		t.Errorf("asked %d times, done %d times, and says %q", asked, done, d.footer.Notice())
	}
}
