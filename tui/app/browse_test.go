package app

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/charmbracelet/x/exp/golden"
	"github.com/google/uuid"

	"lens/retrieval"
	"lens/retrieval/query"
	"lens/tui/theme"
	"lens/tui/zoom"
)

func TestBrowse_ListsTheTurnsInView(t *testing.T) {
	e := newFake(600)
	d := explore(e, 120, 40)
	newest, oldest := e.turns[599].TurnID, e.turns[0].TurnID
	d.mustShow(t, "newest 200 of 600", "most active: ")
	if d.results.Selected() != newest || d.reader.Opened() == nil || d.reader.Opened().TurnID != newest {
		t.Errorf("the cursor is on %v, read is %v", d.results.Selected(), d.reader.Opened())
	}
	d.keys("2 s").mustShow(t, "oldest 200 of 600")
	if item, _ := d.results.Cursor(); item.ID != oldest {
		t.Errorf("the oldest list begins with the turn of %s", item.Date)
	}
	d.keys("1 g enter").mustShow(t, "oldest first", theme.Number(d.counted())+" of 600 turns")
	for _, item := range d.results.Rows() {
		if !d.timeline.Zoom().Holds(item.At) {
			t.Errorf("a turn of %s is listed", item.Date)
		}
	}
	d.keys("2 j *").mustShow(t, "1 marked")
	d.keys("u").mustShow(t, "oldest 200 of 600, 1 marked")
}

func TestBrowse_ZoomShowsKnownTurnsAtOnce(t *testing.T) {
	d := explore(newFake(1200), 120, 40)
	d.hold = true
	d.keys("g enter")
	d.mustNotShow(t, "No turns in this window") // not known yet
	d.release()
	if n := d.counted(); n == 0 || d.results.Len() != n {
		t.Errorf("%d turns are listed of %d", d.results.Len(), n)
	}
}

// What the list of another window lacks says nothing of the one that is wanted.
func TestBrowse_ZoomReadsOnePage(t *testing.T) {
	e := newFake(4000)
	d := explore(e, 120, 40)
	pages := 0
	e.before = func(_ context.Context, call string) error {
		if call == "browse" {
			pages++
		}
		return nil
	}
	d.timeline.Enter(zoom.Span{From: e.turns[3000].Time.Unix(), To: e.turns[3820].Time.Unix()}) // 20 of them are listed
	d.send(nil)
	if n := len(d.found.Peek.Matches); pages != 1 || n != 200 || d.timeline.Zoom().IsAll() {
		t.Errorf("%d turns were listed in %d pages", n, pages)
	}
}

func TestBrowse_FilterAppliesToListAndBars(t *testing.T) {
	e := newFake(600)
	for i := range 30 {
		e.turns[20*i].Source = "claude"
	}
	d := explore(e, 120, 40).search("source:claude")
	d.mustShow(t, "newest first", "source:claude ✕  30 of 600 turns")
	if sum := d.counted(); sum != 30 || d.results.Len() != 30 {
		t.Errorf("the bars count %d, %d are listed", sum, d.results.Len())
	}
	d.keys("u").mustShow(t, "newest 200 of 600")
}

func TestLandmarks_WithoutAQuery(t *testing.T) {
	d := explore(newFake(600), 120, 40).keys("1 I")
	d.mustShow(t, "Landmarks of the turns in view", "Busiest 2 months: ", "Conversation “")
	fullest := d.found.Fullest[0]
	d.keys("down enter")
	if !slices.Equal(d.bar.Query().Filter.Conversations.In, []uuid.UUID{fullest.Conversation}) || d.results.Len() != fullest.Turns {
		t.Errorf("%d turns of %v are listed, not %d", d.results.Len(), d.bar.Query().Filter.Conversations.In, fullest.Turns)
	}
	d.keys("u 1 I enter")
	if d.timeline.Zoom().IsAll() {
		t.Error("the busiest month is not looked at")
	}
}

func TestBrowse_FailureShowsInItsPane(t *testing.T) {
	e := newFake(50)
	e.before = func(_ context.Context, call string) error {
		if strings.HasPrefix(call, "browse") {
			return errors.New("the disk is gone")
		}
		return nil
	}
	d := explore(e, 120, 40)
	d.mustShow(t, "error: the disk is gone", "by month")
	e.before = nil
	d.keys("ctrl+l").mustShow(t, "newest first")
}

func TestBrowse_OrderAndShareAreSaved(t *testing.T) {
	d := explore(newFake(300), 120, 40).keys("2 s").search("apple").keys("1 %")
	kept := d.session(d.look())
	if kept.Places[0].Query != "" || !kept.Oldest || !kept.Share {
		t.Errorf("kept are %v", kept)
	}
	e := newFake(300)
	again := drive(Options{Sessions: keeps(kept), Archive: over(e)}, 120, 40)
	again.mustShow(t, "0% ┤")
	if !again.results.Sorting().Oldest {
		t.Error("the order of turns is lost")
	}
}

func TestScreens_Browsing(t *testing.T) {
	for _, size := range sizes[:3] {
		t.Run(theme.Number(size.w), func(t *testing.T) {
			d := themed("dark", size.w, size.h).keys("g n enter 2 j")
			golden.RequireEqual(t, d.screen())
		})
	}
}

// All matches that the chart counts are listed, also those that are folded away.
func TestMatches_AllAreReached(t *testing.T) {
	d := explore(newFake(1200), 120, 40).search("cancel").keys("2")
	counted := d.found.Peek.Histogram.Total
	if counted != topK || d.results.Len() != counted {
		t.Fatalf("%d are counted, %d listed", counted, d.results.Len())
	}
	d.mustNotShow(t, " listed")
	rows := 0
	for _, row := range d.results.Rows() {
		rows += 1 + row.More
	}
	if rows != counted {
		t.Errorf("the rows stand for %d of %d", rows, counted)
	}
	last := 0
	d.keys("s G")
	for _, row := range d.results.Rows() {
		last = max(last, row.Rank)
	}
	if row, ok := d.results.Cursor(); last != counted || !ok || row.ID != d.reader.Wanted() {
		t.Errorf("the last rank is %d of %d, read is %v", last, counted, d.reader.Wanted())
	}
	d.keys("1 g n v").mustShow(t, " in the brush")
}

func TestMatches_StatusSaysThatAllAreListed(t *testing.T) {
	d := explore(newFake(1200), 120, 40).search("lentils")
	d.hold = true
	d.search("cancel").until(d.finder.IsListingAll).mustShow(t, "listing all ").mustNotShow(t, "reading the rest")
	d.finish().mustNotShow(t, "listing all")
}

// deep returns a driver that reads a match beyond those that are listed first.
func deep(t *testing.T, e *fakeEngine) (d *driver, match uuid.UUID) {
	t.Helper()
	d = explore(e, 120, 40).search("cancel").keys("2 s G")
	row, _ := d.results.Cursor()
	if row.Rank <= query.MaxSnippets || d.reader.Wanted() != row.ID {
		t.Fatalf("the cursor is on rank %d, read is %v", row.Rank, d.reader.Wanted())
	}
	return d, row.ID
}

// mustRead checks which match is under the cursor and read.
func (d *driver) mustRead(t *testing.T, match uuid.UUID, when string) {
	t.Helper()
	if d.results.Selected() != match || d.reader.Wanted() != match {
		t.Errorf("%s, the cursor is on %v and %v is read, want %v", when, d.results.Selected(), d.reader.Wanted(), match)
	}
}

func TestBrowse_DeepTurnStaysUnderTheCursor(t *testing.T) {
	e := newFake(900)
	d := explore(e, 120, 40).keys("2 G G k k")
	turn := d.results.Selected()
	if d.results.Len() != 600 || turn != e.turns[502].TurnID {
		t.Fatalf("%d are listed, the cursor is on %v", d.results.Len(), turn)
	}
	later := newFake(1100) // as many new turns as fill a page
	for i := range 200 {
		later.turns[i].Time = new(e.turns[899].Time.Add(time.Duration(1+i) * time.Second))
		later.turns[i].TurnID = uuid.New()
	}
	for _, c := range []struct {
		name  string
		turns []retrieval.Turn
		lists int
	}{
		{"the same", e.turns, 600},
		{"new ones", slices.Concat(e.turns, later.turns[:200]), 800},
		{"without the new ones", e.turns, 600},
		{"fewer", slices.Concat(e.turns[:700], e.turns[750:]), 550},
	} {
		e.turns = c.turns
		d.hold = true
		d.refresh()
		d.send(nil)
		d.until(func() bool {
			d.mustRead(t, turn, c.name+": while the archive is listed again")
			return t.Failed()
		})
		d.finish().mustRead(t, turn, c.name+": after that")
		if n := d.results.Len(); n != c.lists {
			t.Errorf("%s: %d are listed, want %d", c.name, n, c.lists)
		}
	}
}

// A quick list, which leaves out turns whose texts decide, would not have it.
func TestBrowse_DeepTurnOfAnExclusionStaysUnderTheCursor(t *testing.T) {
	e := newFake(900)
	e.few = 300
	d := explore(e, 120, 40).search("-onions").keys("2 s G G k k")
	turn := d.results.Selected()
	if d.results.Len() != 600 || turn != e.turns[397].TurnID {
		t.Fatalf("%d are listed, the cursor is on %v", d.results.Len(), turn)
	}
	d.hold = true
	d.refresh()
	d.send(nil)
	d.until(func() bool {
		d.mustRead(t, turn, "while the archive is listed again")
		return t.Failed()
	})
	d.finish().mustRead(t, turn, "after that")
}

func TestMatches_DeepOneStaysUnderTheCursor(t *testing.T) {
	e := newFake(1200)
	d, match := deep(t, e)
	d.hold = true
	d.refresh()
	d.send(nil)
	d.until(func() bool {
		d.mustRead(t, match, "while the archive is searched again")
		return t.Failed()
	})
	d.finish().mustRead(t, match, "after that")
	again(t, d, e).mustRead(t, match, "in the next run")
	d.search("lentils").keys("2")
	d.refresh()
	d.keys("u").mustRead(t, match, "back at the query")
}

// A filter that is typed letter by letter reads as words at first; they are best first, and the filter keeps the order.
func TestSort_TypedFilterKeepsIt(t *testing.T) {
	d := explore(newFake(600), 120, 40).search("lentils").keys("2 s").mustShow(t, ", newest first")
	d.keys("/ end").typed(" so").mustNotShow(t, ", newest first")
	d.typed("urce:chatgpt").mustShow(t, "source:chatgpt", ", newest first")
	d.keys("enter").mustShow(t, ", newest first")
	d.search("cancel").mustShow(t, ", best first")
}
