package app

import (
	"strings"
	"testing"

	"lens/tui/timeline"
	"lens/tui/zoom"
)

func TestCompare_PinnedQueries(t *testing.T) {
	d := explore(newFake(1200), 120, 40).search("lentils").keys("1 p")
	d.search("apple").keys("1 p")
	if len(d.finder.Pins().All()) != 2 || d.timeline.Look().Form != timeline.Comparison {
		t.Fatalf("%d are pinned", len(d.finder.Pins().All()))
	}
	d.keys("g")
	d.mustShow(t, "── lentils", "━━ apple")
	d.keys("G h enter")
	if d.timeline.Zoom().IsAll() {
		t.Fatal("a comparison cannot be zoomed")
	}
	d.mustShow(t, "── lentils")
	d.keys("p C C")
	if len(d.finder.Pins().All()) != 1 || d.timeline.Look().Form != timeline.Line {
		t.Errorf("%d are pinned, the chart is %v", len(d.finder.Pins().All()), d.timeline.Look().Form)
	}
}

// A pinned query does not hide the one of now.
func TestCompare_PinnedQueryWithTheNextOne(t *testing.T) {
	for _, size := range [][2]int{{120, 40}, {80, 24}, {60, 18}} {
		d := explore(newFake(1200), size[0], size[1]).search("lentils").keys("1 p g")
		d.mustShow(t, "── lentils").mustNotShow(t, "━━ lentils")
		d.search("apple").mustShow(t, "── lentils", "━━ apple", "┏", "╮")
		d.keys("1 p").mustShow(t, "── lentils", "━━ apple").mustNotShow(t, "══")
		d.search("cancel").mustShow(t, "══ cancel").keys("2 x")
		title, _, _ := strings.Cut(d.bar.Similar().Title, " ")
		d.mustShow(t, "══ "+title)
		d.search("lentils").mustNotShow(t, "══")
	}
}

func TestDateRange_Typed(t *testing.T) {
	d := explore(newFake(1200), 120, 40).search("cancel").keys("1 t")
	for _, r := range "someday" {
		d.keys(string(r))
	}
	d.keys("enter")
	if !d.dialogs.IsOpen() || !d.timeline.Zoom().IsAll() {
		t.Fatal("someday is accepted as a date")
	}
	d.keys("ctrl+u 2 0 2 4 - 0 5 . . 2 0 2 4 - 0 6 enter")
	if d.dialogs.IsOpen() {
		t.Fatalf("a range is refused:\n%s", d.screen())
	}
	d.mustShow(t, "2024-05-01..2024-06-30")
	d.keys("u")
	if !d.timeline.Zoom().IsAll() {
		t.Error("u does not go back")
	}
}

func TestScope_StaysAcrossZooms(t *testing.T) {
	d := explore(newFake(3000), 120, 40).search("cancel").keys("1 F g n enter")
	if d.timeline.Zoom().IsAll() || d.found.Window != (zoom.Span{}) {
		t.Errorf("matches are of %v in %v", d.found.Window, d.timeline.Zoom().Span)
	}
	d.mustShow(t, "of the best 400 matches")
	d.keys("F")
	if d.found.Window != d.timeline.Zoom().Span {
		t.Errorf("matches are of %v in %v", d.found.Window, d.timeline.Zoom().Span)
	}
}
