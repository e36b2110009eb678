package app

import (
	"fmt"
	"testing"
	"time"

	"lens/tui/search"
	"lens/tui/zoom"
)

// dated returns an explorer on a day after the last turn of its archive.
func dated(days int, opts Options) *driver {
	e := newFake(1200)
	opts.Archive = over(e)
	d := drive(opts, 120, 40)
	last := *d.archive.Overview().Last
	d.ui.Now = func() time.Time { return last.AddDate(0, 0, days) }
	return d
}

// What a window has is said beside what all time has: the window may be from an earlier question.
func TestWindow_CountsWhatAllTimeHas(t *testing.T) {
	d := explore(newFake(1200), 120, 40).search("in May 2023").search("lentils").keys("2")
	here := len(d.found.Peek.Times)
	n, _, _ := d.finder.Elsewhere()
	if n <= here || here == 0 {
		t.Fatalf("%d of %d matches are here", here, n)
	}
	d.mustShow(t, fmt.Sprintf("%d of %d in this window", here, n))
	if d.keys("0"); d.found.Peek.Histogram.Total != n {
		t.Errorf("0 shows %d of %d", d.found.Peek.Histogram.Total, n)
	}
	d.mustNotShow(t, " in this window")
}

// A query that names days outside of the window is not searched there.
func TestWindow_DateOutsideOfItLeavesIt(t *testing.T) {
	d := explore(newFake(1200), 120, 40).search("in May 2023")
	window := d.timeline.Zoom().Span
	d.search("lentils summer 2024").mustShow(t, "“summer 2024” is outside the window: all time is searched", "u goes back")
	if !d.timeline.Zoom().IsAll() || d.bar.Search().Text != "lentils summer 2024" {
		t.Errorf("%q is searched in %v", d.bar.Search().Text, d.timeline.Zoom().Span)
	}
	if d.keys("u"); d.timeline.Zoom().Span != window || d.bar.Search() != (search.Search{}) {
		t.Errorf("u leads to %q in %v", d.bar.Search().Text, d.timeline.Zoom().Span)
	}
	for _, query := range []string{"lentils May 2023", "lentils Christmas", "lentils 1984", "lentils", `"lentils summer 2024"`} {
		if d.search(query); d.timeline.Zoom().Span != window {
			t.Errorf("%s leaves the window for %v", query, d.timeline.Zoom().Span)
		}
	}
	d.keys("/ end ctrl+u").typed("lentils summer 2024").keys("ctrl+w ctrl+w")
	if d.timeline.Zoom().Span != window {
		t.Errorf("without the date, the window is %v", d.timeline.Zoom().Span)
	}
}

// A query that names days within the window is searched in those, until they are no longer typed.
func TestWindow_DateWithinItNarrowsIt(t *testing.T) {
	d := explore(newFake(1200), 120, 40).search("2023-03..2023-06")
	window := d.timeline.Zoom().Span
	for query, says := range map[string]string{
		"lentils in April 2023":    "“April 2023” is part of the window: only that is searched",
		"lentils in April":         "“April” is part of the window: only that is searched", // the one April that it has
		"lentils since April 2023": "“since April 2023” is part of the window: only that is searched",
	} {
		d.search(query).mustShow(t, says, "u goes back")
		until := time.Date(2023, time.May, 1, 0, 0, 0, 0, time.UTC).Unix()
		if query == "lentils since April 2023" {
			until = window.To
		}
		april := zoom.Span{From: time.Date(2023, time.April, 1, 0, 0, 0, 0, time.UTC).Unix(), To: until}
		if got := d.timeline.Zoom().Span; got != april || d.bar.Search().Text != query {
			t.Errorf("%s: %q is searched in %v, want %v", query, d.bar.Search().Text, got, april)
		}
		if d.keys("u"); d.timeline.Zoom().Span != window || d.bar.Search() != (search.Search{}) {
			t.Errorf("%s: u leads to %q in %v", query, d.bar.Search().Text, d.timeline.Zoom().Span)
		}
	}
	for _, query := range []string{"lentils in 2023", "lentils in April or May 2023", "lentils April", "lentils since 2022"} {
		if d.search(query); d.timeline.Zoom().Span != window {
			t.Errorf("%s leaves the window for %v", query, d.timeline.Zoom().Span)
		}
	}
	d.keys("/ end ctrl+u").typed("lentils in April 2023").keys("ctrl+w ctrl+w ctrl+w")
	if d.timeline.Zoom().Span != window {
		t.Errorf("without the date, the window is %v", d.timeline.Zoom().Span)
	}
	all := d.search("lentils").keys("0").timeline.Zoom().Span
	if d.search("lentils in April 2023"); d.timeline.Zoom().Span != all { // near dates rank higher in all time
		t.Errorf("all time becomes %v", d.timeline.Zoom().Span)
	}
}

// A time without turns is said where turns are listed, until something else is asked for.
func TestWindow_TimeWithoutTurnsIsSaidInTheList(t *testing.T) {
	for name, home := range map[string]bool{"home": true, "panes": false} {
		says := ". The archive ends on "
		d := dated(29, Options{Settings: Settings{Home: home}}).search("what did I do last week").keys("2 j j")
		d.mustShow(t, "  No turns: ", says, "  t goes to another time", "Select a turn to read it")
		if d.results.Len() != 0 {
			t.Errorf("%s: %d turns are listed", name, d.results.Len())
		}
		for _, keys := range []string{"u", "1 l", "t M a y space 2 0 2 3 enter", "/ l e n t i l s enter"} {
			d.search("what did I do last week").keys("2").mustShow(t, says)
			if d.keys(keys).mustNotShow(t, says); d.results.Len() == 0 && !d.atHome {
				t.Errorf("%s: after %s nothing is listed", name, keys)
			}
		}
	}
}

// The chart does not keep the window of the query before, as if that were the time without turns.
func TestWindow_TimeWithoutTurnsLeavesTheWindow(t *testing.T) {
	d := dated(29, Options{}).search("in May 2023")
	window := d.timeline.Zoom().Span
	d.search("what did I do last week").mustShow(t, "  No turns: ", "All time  ")
	if !d.timeline.Zoom().IsAll() || d.results.Len() != 0 {
		t.Errorf("%d turns of %v", d.results.Len(), d.timeline.Zoom().Span)
	}
	if d.keys("u").mustNotShow(t, "No turns"); d.timeline.Zoom().Span != window {
		t.Errorf("u leads to %v", d.timeline.Zoom().Span)
	}
}

func TestWindow_TimeAskedForAtHome(t *testing.T) {
	d := dated(1, Options{Settings: Settings{Home: true}}).search("May 2023")
	d.mustShow(t, "All time › May 2023", "newest first")
	d = dated(29, Options{Settings: Settings{Home: true}}).search("what did I do last week")
	d.mustShow(t, "  No turns: ", "t goes to another time")
}
