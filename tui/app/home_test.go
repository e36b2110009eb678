package app

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/colorprofile"
	"github.com/charmbracelet/x/ansi"
	"github.com/charmbracelet/x/exp/golden"

	"lens/retrieval"
	"lens/retrieval/query"
	"lens/tui/theme"
)

func atHome(e *fakeEngine, width, height int) *driver {
	return drive(Options{Archive: over(e), Settings: Settings{Home: true}}, width, height)
}

func TestHome_Screens(t *testing.T) {
	for _, size := range sizes[:3] {
		t.Run(fmt.Sprintf("%dx%d", size.w, size.h), func(t *testing.T) {
			golden.RequireEqual(t, ansi.Strip(atHome(newFake(1200), size.w, size.h).drawn()))
		})
	}
}

// Home in each theme, with its colors: dark, light, 16 colors on dark and on light, none, and ASCII.
func TestHome_Themes(t *testing.T) {
	for name, c := range map[string]struct {
		theme   theme.Name
		profile colorprofile.Profile
	}{
		"dark":            {theme.Dark, colorprofile.TrueColor},
		"light":           {theme.Light, colorprofile.TrueColor},
		"16 colors":       {theme.Dark, colorprofile.ANSI},
		"16 colors light": {theme.Light, colorprofile.ANSI},
		"mono":            {theme.Mono, colorprofile.TrueColor},
		"ascii":           {theme.ASCII, colorprofile.TrueColor},
	} {
		t.Run(name, func(t *testing.T) {
			d := drive(Options{Archive: over(newFake(1200)), Settings: Settings{Home: true, Theme: string(c.theme)}}, 120, 40)
			d.send(tea.ColorProfileMsg{Profile: c.profile})
			d.mustFill(t)
			golden.RequireEqual(t, d.drawn())
		})
	}
}

// What one looks into is a step that can be undone.
func TestHome_LooksInto(t *testing.T) {
	const home = "When you ask"
	d := atHome(newFake(1200), 120, 40).mustShow(t, home, "Rust · service")
	d.keys("h enter")
	d.mustNotShow(t, home)
	if d.focus != paneTimeline || d.timeline.Zoom().IsAll() {
		t.Errorf("the focus is on %v, the window %v", d.focus, d.timeline.Zoom().Span)
	}
	d.keys("u").mustShow(t, home)
	d.keys("U")
	d.mustNotShow(t, home)
	d.keys("u G j enter")
	d.mustNotShow(t, home)
	if got := d.bar.Query().Filter.Topics.In; len(got) != 1 || got[0] != "Rust service" || d.focus != paneResults {
		t.Errorf("the topics are %q, the focus is on %v", got, d.focus)
	}
	d.keys("u").mustShow(t, home)
}

// What is looked into is listed, even if all turns were before.
func TestHome_LooksIntoAfterKeepAll(t *testing.T) {
	for name, keys := range map[string]string{"a quarter": "h enter", "a topic": "G j enter 1 g enter"} {
		d := atHome(newFake(1200), 120, 40).keys("2 F 1 esc").mustShow(t, "When you ask").keys(keys)
		if d.keepAll || d.timeline.Zoom().IsAll() || d.results.Len() == 0 {
			t.Errorf("%s: %d are listed of %v", name, d.results.Len(), d.timeline.Zoom().Span)
		}
		for _, row := range d.results.Rows() {
			if !d.timeline.Zoom().Holds(row.At) {
				t.Errorf("%s: a turn of %s is listed", name, row.Date)
				break
			}
		}
	}
}

// A query, another pane and a restored place leave it; esc in the chart comes back.
func TestHome_ComesAndGoes(t *testing.T) {
	const home = "When you ask"
	d := atHome(newFake(1200), 120, 40)
	d.keys("/").mustShow(t, home)
	d.keys("t o k i o")
	d.mustNotShow(t, home)
	d.mustShow(t, "Matches")
	d.keys("enter v esc")
	d.mustNotShow(t, home) // esc drops the brush first
	d.keys("esc").mustShow(t, home)
	if d.focus != paneHome || d.isSearching() || !d.timeline.Zoom().IsAll() {
		t.Errorf("at home the focus is on %v, the query %q", d.focus, d.bar.Query().Text)
	}
	d.keys("u")
	d.mustNotShow(t, home)
	if d.bar.Query().Text != "tokio" {
		t.Errorf("back is %q", d.bar.Query().Text)
	}
	for _, key := range []string{"tab", "1", "2", "3"} {
		if d := atHome(newFake(1200), 120, 40).keys(key); d.showsHome || d.focus == paneHome || d.focus == paneQuery {
			t.Errorf("%s: the focus is on %v", key, d.focus)
		}
	}
	if d := atHome(newFake(1200), 120, 40).keys("/ esc"); !d.showsHome {
		t.Error("leaving an empty query leaves home")
	}
}

// Every way out of home is a step, and a click on the line above it does nothing.
func TestHome_IsAPlace(t *testing.T) {
	e := newFake(1200)
	for _, key := range []string{"tab", "1", "2", "3"} {
		d := atHome(e, 120, 40).keys(key)
		if d.showsHome {
			t.Errorf("%s stays at home", key)
		}
		if d.keys("1 u"); !d.showsHome || d.focus != paneHome {
			t.Errorf("%s u: home is not back", key)
		}
	}
	whole := newFake(1200)
	whole.turns = slices.DeleteFunc(slices.Clone(whole.turns), func(turn retrieval.Turn) bool {
		return turn.Time.Year() != 2024 || turn.Time.Month() > 3 // all of them in one quarter
	})
	if d := atHome(whole, 120, 40).keys("enter"); d.showsHome || !d.keys("u").showsHome {
		t.Error("looking into the only quarter cannot be undone")
	}
	d := atHome(e, 120, 40)
	d.send(tea.MouseClickMsg{X: 30, Y: 1, Button: tea.MouseLeft})
	d.send(tea.MouseWheelMsg{X: 30, Y: 1, Button: tea.MouseWheelUp})
	if !d.showsHome || !d.timeline.Zoom().IsAll() {
		t.Error("the line above home moves what is not shown")
	}
}

// An archive that was empty shows home once it has turns.
func TestHome_AfterTheFirstImport(t *testing.T) {
	imported := false
	d := drive(Options{Settings: Settings{Home: true}, Archive: &fakeArchive{open: func(context.Context) (Engine, error) {
		if !imported {
			return nil, errNotThere
		}
		return newFake(300), nil
	}}}, 120, 40)
	d.mustShow(t, "Your archive is empty")
	imported = true
	d.refresh()
	d.send(tea.WindowSizeMsg{Width: 120, Height: 40})
	if d.mustShow(t, "When you ask"); d.focus != paneHome {
		t.Errorf("the focus is on %v", d.focus)
	}
}

// The next run begins where one was: at home or not.
func TestHome_IsRestored(t *testing.T) {
	e := newFake(1200)
	if next := again(t, atHome(e, 120, 40).keys("h enter 0 esc"), e); !next.showsHome || next.focus != paneHome {
		t.Errorf("home is not restored, the focus is on %v", next.focus)
	}
	if next := again(t, atHome(e, 120, 40).keys("h enter"), e); next.showsHome || next.timeline.Zoom().IsAll() {
		t.Error("home is shown in place of a window")
	}
}

// Home shows no turn, so nothing is copied or saved there, also after one was read and marked.
func TestHome_HasNoTurnToCopy(t *testing.T) {
	d := carrying(nil)
	d.keys("2 g * 1 esc esc").mustShow(t, "When you ask")
	for _, key := range []string{"w", "y t", "y c", "Y", "e"} {
		d.clipboard = ""
		if d.keys(key).mustShow(t, "Nothing to copy or save at home"); d.clipboard != "" || d.dialogs.IsOpen() {
			t.Errorf("%s at home copies %q", key, d.clipboard)
		}
	}
	d.keys("u w").mustShow(t, "Save 1 turn")
}

// What is looked into is a list, of which a second enter reads the first turn.
func TestHome_SecondEnterReads(t *testing.T) {
	for _, keys := range []string{"G j", "G j l"} { // a topic, and a week of last year
		d := atHome(newFake(1200), 120, 40).keys(keys + " enter")
		if window := d.timeline.Zoom().Span; d.focus != paneResults || d.keys("enter").focus != paneReader {
			t.Errorf("%s: the focus is on %v", keys, d.focus)
		} else if d.timeline.Zoom().Span != window {
			t.Errorf("%s: enter zooms to %v", keys, d.timeline.Zoom().Span)
		}
	}
}

// A query that is typed after looking into a quarter or a topic is searched in it. Where that has no clear match, the
// list says so, with the key that leaves it.
func TestHome_WhatOneLooksIntoIsNamed(t *testing.T) {
	e := newFake(1200)
	e.faint = true
	d := atHome(e, 120, 40).keys("enter").search("zinc")
	d.mustShow(t, "No clear match in view; 0 shows all").keys("0")
	d.mustShow(t, "No clear match; showing the nearest")
	d = atHome(e, 120, 40).keys("G j enter").search("zinc")
	d.mustShow(t, "No clear match; X drops topic:").keys("X")
	d.mustShow(t, "No clear match; showing the nearest")
}

// undated is an archive whose turns have no dates.
type undated struct{ *fakeEngine }

func (undated) Activity(context.Context, query.Query) (*retrieval.Activity, error) {
	return &retrieval.Activity{}, nil
}

// Without dates there is nothing to show at home.
func TestHome_NeedsDates(t *testing.T) {
	opts := Options{Archive: over(undated{newFake(20)}), Settings: Settings{Home: true}}
	if d := drive(opts, 120, 40); d.showsHome || d.focus != paneTimeline {
		t.Errorf("home shows an archive without dates:\n%s", d.screen())
	}
}

// The footer says what keys do at the cursor: below the map, they lead to the other column.
func TestHome_FooterIsTrue(t *testing.T) {
	d := atHome(newFake(1200), 120, 40)
	says := func(want, without string) {
		t.Helper()
		if got := ansi.Strip(d.footer.View()[0]); !strings.Contains(got, want) || strings.Contains(got, without) {
			t.Errorf("the footer says %q, wanted is %q and not %q", got, want, without)
		}
	}
	says("h/l earlier/later", "topics")
	for range 10 {
		d.keys("j")
	}
	says("l busiest days   j/k row", "earlier/later")
	d.keys("l")
	says("h topics   j/k row", "earlier/later")
	d = atHome(newFake(1200), 80, 24)
	for range 10 {
		d.keys("j")
	}
	says("  j/k row", "earlier/later")
}
