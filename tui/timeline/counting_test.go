package timeline

import (
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"lens/retrieval"
	"lens/retrieval/query"
	"lens/tui/ui"
	"lens/tui/zoom"
)

func TestHours_CountedOnceForAWindow(t *testing.T) {
	d := open(everyDay())
	if len(d.archive.asked) > 0 {
		t.Error("whole days need no hours")
	}
	d.enter("2022-05-01", "2022-05-02").do(t, "next-bin", "next-bin")
	if len(d.archive.asked) != 1 || d.Zoom().Unit() != zoom.Hourly || d.sum() != 1 || d.counts()[12] != 1 {
		t.Errorf("asked %d times by %s, counted %v", len(d.archive.asked), d.Zoom().Unit(), d.counts())
	}
	d.Enter(zoom.Span{From: midnight("2022-05-01"), To: midnight("2022-05-01") + 20*zoom.HourLong})
	if d.Run(nil); len(d.archive.asked) != 1 || d.Zoom().Unit() != zoom.Hourly {
		t.Error("the hours of a part are counted again")
	}
}

func TestHours_DividedForTheFinestBins(t *testing.T) {
	d := open(everyDay()).enter("2022-05-01", "2022-05-02")
	d.do(t, "first")
	for range 12 {
		d.do(t, "next-bin")
	}
	d.do(t, "zoom-in", "zoom-in")
	if unit := d.Zoom().Unit().String(); unit != "15min" || d.archive.asked[len(d.archive.asked)-1].Bin != "5min" {
		t.Fatalf("six hours are divided by %s, asked for %+v", unit, d.archive.asked)
	}
	if d.sum() != 1 {
		t.Errorf("%d turns are counted: %v", d.sum(), d.counts())
	}
	asked := len(d.archive.asked)
	if d.do(t, "finer-bins"); d.Zoom().Unit().String() != "5min" || len(d.archive.asked) != asked || d.sum() != 1 {
		t.Errorf("by %s, %d are counted, asked %d times", d.Zoom().Unit(), d.sum(), len(d.archive.asked))
	}
	if words := d.Chart().Words(d.Chart().Cursor, d.ui.Theme); !strings.Contains(words, "12:00–12:05") {
		t.Errorf("the bin is named %q", words)
	}
}

func TestHours_LateCountsAreDropped(t *testing.T) {
	d := open(everyDay())
	d.Hold = true
	d.enter("2022-05-01", "2022-05-02")
	late := d.Held[0]()
	d.enter("2023-05-01", "2023-05-02")
	d.Hold = false
	d.Run(d.Held[1]).Send(late)
	if len(d.archive.asked) != 2 || d.sum() != 1 || d.turns.Window != days("2023-05-01", "2023-05-02") {
		t.Errorf("asked %d times, counted are the hours of %v", len(d.archive.asked), d.turns.Window)
	}
}

func TestHours_StoppedUntilRetried(t *testing.T) {
	d := open(everyDay())
	d.Hold = true
	d.enter("2022-05-01", "2022-05-02")
	if !d.Stop() || d.Stop() {
		t.Error("it is not stopped once")
	}
	d.Hold = false
	if d.Run(d.Held[0]); d.sum() != 0 {
		t.Error("hours that were stopped are counted")
	}
	d.Retry()
	if d.Run(nil); d.sum() != 1 {
		t.Error("it is not counted again")
	}
}

func TestHours_Reload(t *testing.T) {
	a := everyDay()
	d := open(a).enter("2022-05-01", "2022-05-02")
	at, _ := slices.BinarySearch(a.times, midnight("2022-05-01"))
	a.times = slices.Insert(a.times, at, midnight("2022-05-01")+1)
	d.Reload()
	if d.Run(nil); d.sum() != 2 || len(a.asked) != 2 {
		t.Errorf("counted are %v", d.counts())
	}
}

func TestHours_FailureIsPosted(t *testing.T) {
	a := everyDay()
	a.wrong = errors.New("the disk is gone")
	d := open(a)
	d.Enter(days("2022-05-01", "2022-05-02"))
	d.Run(nil)
	wanted := ui.Failed{Doing: "counting turns per hour", Said: "Couldn't count turns per hour", Err: a.wrong}
	if posted := d.Posted(); !slices.Equal(posted, []any{WindowChanged{}, wanted}) || len(a.asked) != 1 {
		t.Errorf("posted %v, asked %d times", posted, len(a.asked))
	}
}

func TestOccurrences_Drawn(t *testing.T) {
	a := everyDay()
	found := a.found(func(i int, _ time.Time) bool { return i%100 == 0 })
	found.Coverage.Truncated = true
	d := open(a).finding(found)
	if posted := d.do(t, "toggle-occurrences"); len(posted) != 1 || d.drawn().occurrences {
		t.Fatalf("without words there is nothing to count: %v", posted)
	}
	of := a.found(func(i int, _ time.Time) bool { return i%2 == 0 })
	found.Occurrences = &retrieval.Occurrences{Histogram: of.Histogram, Times: of.Times}
	matches, occurrences := len(found.Times), len(of.Times)

	found.Mode = query.Hybrid
	d = d.finding(found)
	if d.sum() != matches || d.Chart().Noun != "matches" {
		t.Errorf("by words and meaning, %d %s are drawn", d.sum(), d.Chart().Noun)
	}
	d.do(t, "toggle-occurrences")
	if d.sum() != occurrences || d.Chart().Noun != "occurrences" {
		t.Errorf("after #, %d %s are drawn", d.sum(), d.Chart().Noun)
	}
	if head := d.head(150); !strings.Contains(head, "██ occurrences") {
		t.Errorf("the head is %q", head)
	}
	d.do(t, "first", "brush", "last")
	if brushed := d.Chart().BrushWords(d.ui.Theme); !strings.HasSuffix(brushed, ": 19 matches") {
		t.Errorf("the brush counts %q", brushed)
	}
	d.do(t, "leave", "toggle-occurrences")
	if d.sum() != matches {
		t.Errorf("after # twice, %d are drawn", d.sum())
	}

	keyword := *found
	keyword.Mode = query.Keyword
	d.SetLook(Look{})
	if d = d.finding(&keyword); d.sum() != occurrences {
		t.Errorf("by words alone, %d are drawn", d.sum())
	}
	none := keyword
	none.Occurrences = &retrieval.Occurrences{}
	if d = d.finding(&none); d.sum() != matches || d.Chart().Noun != "matches" {
		t.Errorf("no turn has all the words, and %d %s are drawn", d.sum(), d.Chart().Noun)
	}
}
