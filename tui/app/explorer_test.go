package app

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/google/uuid"

	"lens/retrieval/query"
	"lens/retrieval/timebin"
	"lens/tui/theme"
)

func TestFirstFrame_BeforeTheArchiveIsOpened(t *testing.T) {
	opened := false
	m := newModel(context.Background(), Options{
		Terminal: Terminal{Environ: []string{"TERM=xterm"}},
		Archive:  &fakeArchive{open: func(context.Context) (Engine, error) { opened = true; return newFake(3), nil }},
	})
	if got := m.View().Content; got != "" {
		t.Errorf("without a size %q is drawn", got)
	}
	m.Update(tea.WindowSizeMsg{Width: 80, Height: 24})
	if !strings.Contains(m.View().Content, "search by words") || opened {
		t.Errorf("opened: %v, screen:\n%s", opened, m.View().Content)
	}
}

func TestExplorer_FromQueryToTurn(t *testing.T) {
	d := explore(newFake(600), 120, 40)
	d.mustShow(t, "600 turns", "▸ All time ")
	d.search("cancel")
	d.mustShow(t, "best 400", "words + meaning · 4 ms")
	d.keys("g ; enter")
	d.mustShow(t, "All time › ", "by week")
	d.mustNotShow(t, "error")
	d.keys("2 j enter")
	if d.focus != paneReader || d.reader.Opened() == nil || d.reader.Opened().TurnID != d.results.Selected() {
		t.Errorf("focus %d, opened %v, cursor on %v", d.focus, d.reader.Opened(), d.results.Selected())
	}
	d.keys("q")
	if !d.quit {
		t.Error("q does not quit")
	}
}

func TestTally_WithoutAQuery(t *testing.T) {
	d := explore(newFake(600), 120, 40)
	d.mustNotShow(t, "in view")
	d.keys("g enter").mustShow(t, theme.Number(d.counted())+" of 600 turns")
	if n := d.counted(); n == 0 || n == 600 {
		t.Errorf("%d turns are in the window", n)
	}
}

func TestZoom_RebinsAtOnceAndSearchesTheWindow(t *testing.T) {
	d := explore(newFake(600), 120, 40)
	d.search("cancel")
	d.hold = true
	d.keys("g n v l l l l enter")
	shown, total := d.counted(), d.found.Peek.Histogram.Total
	if shown == 0 || shown >= total {
		t.Fatalf("before the answer %d of %d are in view", shown, total)
	}
	d.mustShow(t, fmt.Sprintf("%d of the best %d matches in view", shown, total))
	for _, item := range d.results.Rows() {
		if !d.timeline.Zoom().Holds(item.At) {
			t.Errorf("a match of %s is listed", item.Date)
		}
	}
	cursor := d.timeline.Zoom().Cursor
	d.release()
	if d.found.Window != d.timeline.Zoom().Span || d.timeline.Zoom().Cursor != cursor {
		t.Errorf("found in %v, looking at %v, cursor moved by %d", d.found.Window, d.timeline.Zoom().Span, d.timeline.Zoom().Cursor-cursor)
	}
	d.mustShow(t, "All time › ")
}

// release lets held commands run.
func (d *driver) release() {
	d.hold = false
	d.queue, d.held = append(d.queue, d.held...), nil
	d.work()
}

func TestSearch_OldResultShowsUntilTheNew(t *testing.T) {
	d := explore(newFake(300), 120, 40)
	d.search("lentils")
	d.hold = true
	d.keys("/ end space a")
	d.keys("n d")
	if !d.finder.IsStale() {
		t.Error("the old matches are not marked as old")
	}
	d.release()
	if d.found.Text != "lentils and" || d.finder.IsStale() {
		t.Errorf("the last query's answer is not shown: %q", d.found.Text)
	}
}

func TestBack_RestoresZoomQueryAndSelection(t *testing.T) {
	d := explore(newFake(600), 120, 40)
	d.search("cancel").keys("g n enter 2 j j j")
	window, chosen := d.timeline.Zoom().Span, d.results.Selected()
	d.search("apple").keys("1 0 2 j")
	d.keys("u u")
	if d.bar.Text() != "cancel" || d.timeline.Zoom().Span != window || d.results.Selected() != chosen {
		t.Errorf("back at %q in %v on %v; was in %v on %v", d.bar.Text(), d.timeline.Zoom().Span, d.results.Selected(), window, chosen)
	}
	d.keys("U")
	if d.bar.Text() != "apple" || d.timeline.Zoom().Span != window {
		t.Errorf("forward at %q in %v", d.bar.Text(), d.timeline.Zoom().Span)
	}
	d.keys("U")
	if !d.timeline.Zoom().IsAll() {
		t.Error("0 is not a place to go forward to")
	}
	d.keys("U")
	d.mustShow(t, "Nothing to go forward to")
}

func TestFailure_StaysInItsPane(t *testing.T) {
	e := newFake(200)
	e.before = func(_ context.Context, call string) error {
		if strings.HasPrefix(call, "peek") {
			return errors.New("provider\x1b[2Jdown")
		}
		return nil
	}
	d := drive(Options{
		Archive: over(e),
		Explain: func(err error) (string, string) { return err.Error(), "start it and press ctrl+l" },
	}, 120, 40)
	d.search("cancel")
	d.mustShow(t, "error: provider␛[2Jdown", "start it and press ctrl+l", "by month", "search failed")
	e.before = nil
	d.keys("ctrl+l")
	d.mustShow(t, "Matches  ")
	d.mustNotShow(t, "error")
}

func TestOpen_FailureSaysWhy(t *testing.T) {
	d := drive(Options{Archive: broken(errors.New("the archive is damaged"))}, 80, 24)
	d.mustShow(t, "error: the archive is damaged", "r retry")
}

func TestOpen_SaysWhatTakesLong(t *testing.T) {
	archive := over(newFake(3))
	archive.doing = "upgrading the archive"
	m := newModel(t.Context(), Options{Archive: archive})
	now := time.Unix(0, 0)
	m.ui.Now = func() time.Time { return now }
	m.Init()
	m.Update(tea.WindowSizeMsg{Width: 80, Height: 24})
	now = now.Add(3 * time.Second)
	m.Update(tickMsg{})
	if got := m.View().Content; !strings.Contains(got, "upgrading the archive 3.0 s") {
		t.Errorf("the screen is\n%s", got)
	}
}

func TestOpen_EmptyArchiveShowsWelcome(t *testing.T) {
	for name, archive := range map[string]Archive{
		"with nothing in it": over(newFake(0)),
		"that is not there":  broken(errNotThere),
	} {
		t.Run(name, func(t *testing.T) {
			d := drive(Options{Archive: archive, Paths: Paths{Archive: "~/lens/archive.db"}}, 80, 24)
			d.mustShow(t, "Your archive is empty", "lens import <export.zip>", "lens demo", "~/lens/archive.db", "q quit")
		})
	}
}

func TestMeaningHint_KeywordOnly(t *testing.T) {
	e := newFake(300)
	e.mode = query.Keyword
	d := drive(Options{
		Archive:     over(e),
		MeaningHint: func(float64) string { return "to search by meaning, run lens embed" },
	}, 80, 24)
	d.search("apple")
	d.mustShow(t, "words only", "to search by meaning, run lens embed")
}

func TestInterrupt_CancelsThenQuits(t *testing.T) {
	d := explore(newFake(100), 120, 40)
	d.hold = true
	d.search("apple")
	d.keys("ctrl+c")
	d.mustShow(t, "Canceled")
	if d.quit {
		t.Fatal("the first ctrl+c quits")
	}
	d.release()
	if d.found.Text != "" {
		t.Error("what was canceled is shown")
	}
	d.keys("ctrl+c")
	if !d.quit {
		t.Error("the second ctrl+c does not quit")
	}
	d.quit = false
	d.keys("1 ctrl+c").mustShow(t, "ctrl+c again quits")
	d.keys("2 ctrl+c")
	if d.quit {
		t.Error("ctrl+c quits, without a second one right after it")
	}
	d.keys(":").typed("some").keys("ctrl+c")
	if d.quit {
		t.Error("ctrl+c quits after letters were typed in a dialog")
	}
}

func TestQuery_LettersAreText(t *testing.T) {
	d := explore(newFake(100), 80, 24)
	d.keys("/ q ? 1 z space T")
	if d.bar.Text() != "q?1z T" || d.quit || d.dialogs.IsOpen() {
		t.Errorf("typed %q", d.bar.Text())
	}
	d.send(tea.PasteMsg{Content: "\x1b[31mtwo\nlines\u202e"})
	if got := d.bar.Text(); got != `q?1z T␛[31mtwo lines\u202e` {
		t.Errorf("pasted %q", got)
	}
}

func TestTurn_NextAndPreviousInConversation(t *testing.T) {
	e := newFake(50)
	d := explore(e, 120, 40)
	d.search("apple").keys("2 enter")
	first := d.reader.Opened()
	d.keys("]")
	if d.reader.Opened().TurnID != *first.Next {
		t.Error("] does not show the next turn")
	}
	d.keys("[")
	if d.reader.Opened().TurnID != first.TurnID {
		t.Error("[ does not show the turn before")
	}
	last := &e.turns[49]
	d.showTurn(last.TurnID)
	d.send(nil)
	d.keys("]")
	d.mustShow(t, "Last turn of the conversation")
}

func TestBaseline_HoursAreLoaded(t *testing.T) {
	d := explore(newFake(2000), 120, 40)
	d.keys("g n enter n")
	c := d.timeline.Chart()
	d.keys("enter")
	if d.timeline.Zoom().Unit().Unit != timebin.Hour {
		t.Fatalf("by %s", d.timeline.Zoom().Unit())
	}
	if sum, want := d.counted(), c.Bins[c.Cursor].Count; sum != want || sum == 0 {
		t.Errorf("the hours hold %d turns, the day %d", sum, want)
	}
}

func TestTurn_UnderTheCursorIsCached(t *testing.T) {
	e := newFake(300)
	calls := 0
	e.before = func(_ context.Context, call string) error {
		if call == "turn" {
			calls++
		}
		return nil
	}
	d := explore(e, 120, 40)
	d.search("apple")
	calls = 0
	d.keys("2 j k j k")
	if calls != 1 || d.reader.Opened() == nil || d.reader.Opened().TurnID != d.results.Selected() {
		t.Errorf("%d turns were fetched for one more match", calls)
	}
	if d.results.Selected() == uuid.Nil {
		t.Error("no match is under the cursor")
	}
}

// midnight returns the second at which a date begins in UTC.
func midnight(date string) int64 {
	t, err := time.Parse(time.DateOnly, date)
	if err != nil {
		panic(err)
	}
	return t.Unix()
}
