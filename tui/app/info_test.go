package app

import (
	"fmt"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"
)

func TestInfo_MatchSearchAndArchive(t *testing.T) {
	e := newFake(300)
	d := drive(Options{Archive: over(e), Paths: Paths{Archive: "/data/life"}, Chat: Chat{}}, 120, 60)
	d.search("cancel").keys("5")
	match, _ := d.results.Cursor()
	d.mustShow(t,
		"▸ Info",
		"Match 1 of",
		"0.930, the ranking score",
		match.ID.String(),
		"words and meaning",
		"limit 400",
		"all time",
		"/data/life",
		" Feb 2022, ",
		" 3 go to turn",
	)
	d.keys("2 j")
	next, _ := d.results.Cursor()
	d.mustShow(t, fmt.Sprintf("Match %d of", next.Rank), fmt.Sprintf("%.3f", 0.93-0.004*float64(next.Rank-1)))
	d.keys("enter").mustShow(t, "▸ "+next.Title)
	d.mustNotShow(t, "the ranking score")
}

func TestInfo_TabOnNarrowScreens(t *testing.T) {
	d := explore(newFake(300), 80, 24)
	d.search("cancel").keys("3").mustShow(t, "▸ Rust service notes")
	if panes, _, _ := strings.Cut(d.screen(), "j/k scroll"); strings.Contains(panes, "c chat") {
		t.Errorf("the head names the chat, as the footer does:\n%s", panes)
	}
	d.mustNotShow(t, "5 info")
	d.keys("5").mustShow(t, " 3 go to turn", "Match 1 of")
	first := d.screen()
	d.keys("j j")
	if d.screen() == first {
		t.Error("it does not scroll")
	}
	d.keys("tab tab tab g").mustShow(t, "Match 1 of")
	if d.focus != paneDetails {
		t.Errorf("tab leads to pane %d", d.focus)
	}
	d.keys("c").mustShow(t, "▸ Chat")
	d.keys("esc 3").mustNotShow(t, "Match 1 of")
}

func TestInfo_ClickOnWhatItCovers(t *testing.T) {
	for _, size := range [][2]int{{80, 24}, {120, 40}} {
		d := explore(newFake(300), size[0], size[1])
		d.search("cancel").keys("5")
		r := d.layout().at[paneDetails]
		d.clickAt(r.x+2, r.y)
		if d.focus != paneDetails {
			t.Errorf("%v: the click on its own name leads to pane %d", size, d.focus)
		}
		d.clickAt(r.x+r.w-1-ansi.StringWidth("3 go to turn"), r.y)
		if d.focus != paneReader {
			t.Errorf("%v: the click back leads to pane %d", size, d.focus)
		}
	}
}

func TestInfo_FitsEveryScreen(t *testing.T) {
	for _, size := range sizes {
		d := explore(newFake(100), size.w, size.h)
		d.search("cancel").keys("5")
		d.send(tea.WindowSizeMsg{Width: size.w, Height: size.h})
		d.mustFill(t)
		d.mustHoldItsPanes(t)
	}
}
