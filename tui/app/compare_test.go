package app

import (
	"slices"
	"strings"
	"testing"

	"lens/tui/timeline"
	"lens/tui/zoom"
)

func TestCompare_PinnedQueries(t *testing.T) {
	d := explore(newFake(1200), 120, 40).search("lentils").keys("1 p enter")
	d.search("apple").keys("1 p enter")
	if len(d.finder.Pins().All()) != 2 || d.timeline.Look().Form != timeline.Rows {
		t.Fatalf("%d are pinned", len(d.finder.Pins().All()))
	}
	d.mustShow(t, "/ apple", "  lentils", "each row on its own scale")
	d.keys("%").mustShow(t, "all rows on one scale")
	d.keys("G h enter")
	if d.timeline.Zoom().IsAll() {
		t.Fatal("a comparison cannot be zoomed")
	}
	d.mustShow(t, "/ apple", "  lentils")
	d.keys("C").mustShow(t, "── apple", "━━ lentils")
	d.keys("p enter C C")
	if len(d.finder.Pins().All()) != 1 || d.timeline.Look().Form != timeline.Line {
		t.Errorf("%d are pinned, the chart is %v", len(d.finder.Pins().All()), d.timeline.Look().Form)
	}
}

// A letter after p belongs to the query to compare with.
func TestCompare_AsksForAnotherQuery(t *testing.T) {
	d := explore(newFake(1200), 120, 40).search("lentils").keys("1 p").mustShow(t, "Compare with", "enter keeps “lentils” as a row")
	d.keys("a p p l e enter").mustShow(t, "/ lentils", "▸ lentils", "  apple", "1 pinned")
	if d.dialogs.IsOpen() || len(d.finder.Pins().All()) != 1 {
		t.Errorf("%d are pinned", len(d.finder.Pins().All()))
	}
	d.keys("p a p p l e enter").mustShow(t, "Already pinned")
	d.keys("ctrl+u s i n c e : 2 0 2 4 enter").mustShow(t, "All rows have the window of the chart")
	d.keys("ctrl+u enter").mustShow(t, "2 pinned").keys("p").mustShow(t, "enter unpins “lentils”").keys("esc")
}

// Without a query, the one to compare with is also searched.
func TestCompare_WithoutQuery(t *testing.T) {
	d := explore(newFake(1200), 120, 40).keys("p enter").mustShow(t, "Type a query")
	d.keys("a p p l e enter").mustShow(t, "/ apple", "▸ apple")
}

// A pinned query does not hide the current one.
func TestCompare_PinnedQueryWithTheNextOne(t *testing.T) {
	for _, size := range [][2]int{{120, 40}, {80, 24}, {60, 18}} {
		d := explore(newFake(1200), size[0], size[1]).search("lentils").keys("1 p enter g")
		d.mustShow(t, "/ lentils")
		d.search("apple").mustShow(t, "/ apple", "  lentils")
		d.keys("1 p enter").mustShow(t, "/ apple", "  lentils")
		d.search("cancel").mustShow(t, "/ cancel", "  apple", "  lentils").keys("2 x")
		title, _, _ := strings.Cut(d.bar.Similar().Title, " ")
		d.mustShow(t, "  "+title)
		d.search("lentils").mustShow(t, "/ lentils", "  apple")
	}
}

// Rows take the lines that they need, at most half of the screen, and give them back.
func TestCompare_RowsHaveRoom(t *testing.T) {
	for _, size := range []struct{ w, h int }{{200, 60}, {120, 40}, {100, 30}, {80, 24}, {60, 18}} {
		d := explore(newFake(1200), size.w, size.h).search("lentils").keys("1")
		usual := d.layout().at[paneTimeline].h
		for i, query := range []string{"lentils", "apple", "cancel", "error", "context"} {
			d.search(query).keys("1 p enter")
			d.mustFill(t)
			if h := d.layout().at[paneTimeline].h; h > size.h/2+2 {
				t.Errorf("%d rows take %d of %d lines", i+1, h, size.h)
			}
			d.mustShow(t, "/ "+query)
		}
		if d.keys("C C"); d.layout().at[paneTimeline].h != usual {
			t.Errorf("bars take %d lines after rows, %d before", d.layout().at[paneTimeline].h, usual)
		}
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
	d.mustShow(t, "› May–Jun 2024 ")
	d.keys("u")
	if !d.timeline.Zoom().IsAll() {
		t.Error("u does not go back")
	}
}

// Panning keeps all matches listed. Another window lists what is in it.
func TestScope_EndsWithAnotherWindow(t *testing.T) {
	d := explore(newFake(3000), 120, 40).search("cancel").keys("1 g n enter F L")
	if d.timeline.Zoom().IsAll() || d.found.Window != (zoom.Span{}) {
		t.Errorf("matches are of %v in %v", d.found.Window, d.timeline.Zoom().Span)
	}
	d.mustShow(t, " of the best 400 matches in view", " of all time, best first")
	d.keys("; enter")
	if d.keepAll || d.found.Window != d.timeline.Zoom().Span {
		t.Errorf("matches are of %v in %v", d.found.Window, d.timeline.Zoom().Span)
	}
	d.keys("0 F").typeIn("since:2024-01")
	if d.keepAll {
		t.Error("a typed window lists all")
	}
}

// The box that asks for a query hides bars of the chart, but neither its axis nor what is below.
func TestCompare_BoxHidesOnlyBars(t *testing.T) {
	for _, size := range [][2]int{{120, 40}, {100, 30}, {80, 24}} {
		d := explore(newFake(300), size[0], size[1]).search("cancel").keys("1")
		before := strings.Split(d.screen(), "\n")
		axis := slices.IndexFunc(before, func(line string) bool { return strings.Contains(line, "└──") })
		after := strings.Split(d.keys("p").mustShow(t, "─ Compare with ─", "enter accept   esc close").screen(), "\n")
		for y, line := range after[axis : len(after)-1] {
			if strings.TrimRight(line, " ") != strings.TrimRight(before[axis+y], " ") {
				t.Errorf("on %v it hides %q", size, before[axis+y])
			}
		}
	}
}
