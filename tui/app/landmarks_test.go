package app

import (
	"testing"

	"lens/retrieval"
)

// bursting returns an archive with a query that matches all the time, and most in one month.
func bursting() *fakeEngine {
	e := newFake(1200)
	for i := range e.turns {
		switch t := &e.turns[i]; {
		case t.Time.Year() == 2024 && t.Time.Month() == 5, i%40 == 0:
			t.User = "zeppelin " + t.User
		}
	}
	return e
}

func TestPeaks_ExceedTheBaseline(t *testing.T) {
	d := explore(bursting(), 120, 40).search("zeppelin").keys("1 g n")
	c := d.timeline.Chart()
	if len(c.Peaks) != 1 || c.Cursor != c.Peaks[0] {
		t.Fatalf("peaks are at %v, n goes to %d", c.Peaks, c.Cursor)
	}
	d.mustShow(t, "May–Jun 2024", "times the usual")
	d.keys("n")
	d.mustShow(t, "No more peaks")
}

func TestLandmarks_LeadToTurnsAndTimes(t *testing.T) {
	e := bursting()
	first, last := &e.turns[0], &e.turns[len(e.turns)-1]
	e.mentions = retrieval.Mentions{
		Count: 30, First: &retrieval.Mention{TurnID: first.TurnID, Time: *first.Time}, Last: &retrieval.Mention{TurnID: last.TurnID, Time: *last.Time},
		Silence: &retrieval.Silence{Since: e.turns[400].Time.UTC(), Until: e.turns[500].Time.UTC(), Turns: 99},
	}
	d := explore(e, 120, 40).search("zeppelin").keys("1 I")
	d.mustShow(t, "Landmarks: 30 matches", "First match", "Last match", "(99 turns on other topics)", "Peak May–Jun 2024")
	d.keys("enter")
	if d.reader.Opened() == nil || d.reader.Opened().TurnID != first.TurnID || d.focus != paneReader {
		t.Error("the first mention is not read")
	}
	d.keys("1 I down down enter")
	if d.timeline.Zoom().From > e.turns[400].Time.Unix() || d.timeline.Zoom().To < e.turns[500].Time.Unix() || d.timeline.Zoom().IsAll() {
		t.Errorf("the silence is %v", d.timeline.Zoom().Span)
	}
	d.keys("u")
	if !d.timeline.Zoom().IsAll() {
		t.Error("u does not go back")
	}
}

func TestSuggestion_IsShownAndAccepted(t *testing.T) {
	d := explore(newFake(400), 100, 24).search("lentlis")
	d.mustShow(t, "Did you mean “lentils”?")
	d.keys("ctrl+y")
	if d.bar.Text() != "lentils" || d.results.Len() == 0 {
		t.Errorf("searched is %q", d.bar.Text())
	}
	d.keys("u")
	if d.bar.Text() != "lentlis" {
		t.Error("u does not go back")
	}
	d.search("qqqq").mustShow(t, "No matches. Try other words")
}
