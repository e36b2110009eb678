package app

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/uuid"

	"lens/retrieval"
	"lens/tui/zoom"
)

// A test for each link between chart, list and turn.

func TestBrowse_ListsMoreAtTheEnd(t *testing.T) {
	d := explore(newFake(600), 120, 40)
	d.keys("2").mustShow(t, "newest 200 of 600")
	d.keys("G").mustShow(t, "newest 400 of 600")
	if at := d.results.Len(); at != 400 || d.results.Selected() != d.results.Rows()[199].ID {
		t.Errorf("%d are listed, the cursor is not on the last of before", at)
	}
	d.keys("G").mustShow(t, "newest first")
	if d.keys("G"); d.results.Selected() != d.found.Peek.Matches[599].TurnID {
		t.Error("the cursor does not reach the oldest turn")
	}
}

// A canceled page is listed once the cursor has come back to the end.
func TestBrowse_StatusSaysThatMoreIsListed(t *testing.T) {
	d := explore(newFake(600), 120, 40).keys("2")
	d.hold = true
	d.keys("G").mustShow(t, "listing more ")
	d.keys("ctrl+c").mustShow(t, "Canceled")
	d.mustNotShow(t, "listing more ")
	d.finish().keys("j")
	if n := d.results.Len(); n != 200 {
		t.Errorf("%d are listed after the request was canceled", n)
	}
	d.keys("g G").mustShow(t, "newest 400 of 600")
	d.mustNotShow(t, "listing more ")
}

// Without a query, the chart's cursor leads to turns that were not listed yet.
func TestBrowse_ListsUpToTheCursorOfTheChart(t *testing.T) {
	d := explore(newFake(600), 120, 40).keys("1 g n")
	c := d.timeline.Chart()
	bin := zoom.Span{From: c.Bins[c.Cursor].Start, To: c.Bins[c.Cursor].End}
	if row, _ := d.results.Cursor(); !bin.Holds(row.At) || d.results.Len() <= 200 {
		t.Errorf("of %d, the list is on %s, the chart on %v", d.results.Len(), row.Date, utc(bin.From))
	}
	if d.keys("2 k"); d.results.Wants() > d.results.Len()+1 {
		t.Errorf("another row is sought")
	}
	d = explore(newFake(600), 120, 40)
	d.hold = true
	d.keys("1 g n 2 j") // the list is moved before it has come
	d.hold = false
	row, _ := d.results.Cursor()
	if d.finish(); d.results.Selected() != row.ID {
		t.Error("what comes late moves the cursor")
	}
}

func TestKeepAll_WithoutAQuery(t *testing.T) {
	d := explore(newFake(150), 120, 40).keys("1 g n enter")
	few := d.results.Len()
	d.keys("F").mustShow(t, "Listing all turns (F: those in view)", "newest first, all time")
	if few == 0 || few >= 150 || d.results.Len() != 150 {
		t.Errorf("of %d in view, %d are listed", few, d.results.Len())
	}
	if d.keys("F").mustShow(t, "Listing the turns in view"); d.results.Len() != few {
		t.Errorf("of %d in view, %d are listed", few, d.results.Len())
	}
}

func TestLinked_BrushNarrowsTheList(t *testing.T) {
	d := explore(newFake(600), 120, 40).search("lentils")
	all := d.results.Len()
	d.keys("1 g n v")
	at, ok := d.timeline.Brushed()
	if n := d.results.Len(); !ok || n == 0 || n >= all {
		t.Fatalf("%d of %d are listed of the brush %v", n, all, at)
	}
	for _, row := range d.results.Rows() {
		if !at.Holds(row.At) {
			t.Errorf("a match of %s is listed", row.Date)
		}
	}
	d.mustShow(t, " in the brush")
	if d.reader.Wanted() != d.results.Selected() {
		t.Error("another turn is read than the one under the cursor")
	}
	few := d.results.Len()
	if d.keys("l l l"); d.results.Len() <= few {
		t.Error("a wider brush lists no more")
	}
	if d.keys("esc"); d.results.Len() != all {
		t.Errorf("without a brush, %d of %d are listed", d.results.Len(), all)
	}
}

func TestLinked_EmptyBrushSaysSo(t *testing.T) {
	d := explore(newFake(600), 120, 40).search("lentils")
	d.keys("1 G")
	for range 60 {
		if c := d.timeline.Chart(); c.Bins[c.Cursor].Count == 0 {
			d.keys("v").mustShow(t, "Nothing in the brush")
			return
		}
		d.keys("h")
	}
	t.Fatal("there is no empty bin")
}

func TestLinked_KeepAllListsWhatIsNotBrushed(t *testing.T) {
	d := explore(newFake(600), 120, 40).search("lentils")
	all := d.results.Len()
	d.keys("1 g n v F").mustShow(t, "Listing all matches (F: those in view)", " of all time, best first")
	if d.results.Len() != all {
		t.Errorf("%d of %d are listed", d.results.Len(), all)
	}
	if d.keys("F").mustShow(t, "Listing the matches in view"); d.results.Len() >= all {
		t.Errorf("of the brush, %d of %d are listed", d.results.Len(), all)
	}
}

func TestLinked_ChartsCursorMovesListAndTurn(t *testing.T) {
	d := explore(newFake(600), 120, 40).search("lentils")
	for _, key := range []string{"g", "n", "w", "w"} {
		d.keys("1 " + key)
		c := d.timeline.Chart()
		bin := zoom.Span{From: c.Bins[c.Cursor].Start, To: c.Bins[c.Cursor].End}
		row, _ := d.results.Cursor()
		if c.Bins[c.Cursor].Count > 0 && !bin.Holds(row.At) {
			t.Errorf("%s goes to %v, the list is on %s", key, utc(bin.From), row.Date)
		}
		if d.reader.Opened() == nil || d.reader.Opened().TurnID != row.ID {
			t.Errorf("after %s another turn is read", key)
		}
	}
}

// mustFollow checks that cursor and rail of the chart are at the turn that is read.
func (d *driver) mustFollow(t *testing.T, what string) {
	t.Helper()
	c := d.timeline.Chart()
	at := d.reader.Opened().Time.Unix()
	if bin := c.Bins[c.Cursor]; at < bin.Start || at >= bin.End || len(c.Read) != 1 || c.Read[0] != c.Cursor {
		t.Errorf("%s of %v leaves the cursor on %v, the rail on %v", what, utc(at), utc(bin.Start), c.Read)
	}
}

func TestLinked_ChartFollowsListAndTurn(t *testing.T) {
	e := newFake(600)
	d := explore(e, 120, 40).search("lentils").keys("2")
	for range 4 {
		d.keys("j").mustFollow(t, "a match")
	}
	d.keys("enter ]").mustFollow(t, "the next turn")
	d.keys("]").mustFollow(t, "the turn after that")
	d.openTurn(e.turns[5].TurnID, d.places.push) // as a citation or a bookmark does
	d.send(nil)
	d.mustFollow(t, "a citation")
}

func TestLinked_ChartFollowsTheBestMatchOfANewQuery(t *testing.T) {
	d := explore(newFake(600), 120, 40).keys("1 g")
	for _, query := range []string{"lentils", "cancel"} {
		d.search(query).mustFollow(t, "the best match of "+query)
	}
	d.keys("1 g")
	before := d.timeline.Zoom().Cursor
	if d.keys("/ end space enter"); d.timeline.Zoom().Cursor != before {
		t.Error("the same query moves the cursor")
	}
	d.search("lentils").keys("u")
	if d.timeline.Zoom().Cursor != before {
		t.Error("u does not bring the cursor back")
	}
}

// A turn that is opened from the conversations, a bookmark or a citation need not be in the list.
func TestLinked_UnlistedTurnSaysSo(t *testing.T) {
	e := newFake(600)
	d := explore(e, 120, 40).search("lentils")
	d.mustNotShow(t, "not a match")
	open := func(id uuid.UUID) *driver {
		d.openTurn(id, d.places.push)
		d.send(nil)
		return d
	}
	other := slices.IndexFunc(e.turns, func(t retrieval.Turn) bool { return t.Title != "Kitchen 🍅" })
	open(e.turns[other].TurnID).mustShow(t, "not a match · turn ").mustFollow(t, "a turn that is no match")
	open(d.found.Peek.Matches[40].TurnID).mustNotShow(t, "not a match")
	if d.results.Selected() != d.reader.Wanted() {
		t.Error("the list's cursor is not on the match that is read")
	}
	d.search("").mustNotShow(t, "not listed")
	open(e.turns[0].TurnID).mustShow(t, "not listed · turn ").mustNotShow(t, "not a match")
	d.keys("t 2 0 2 4 - 0 5 - 0 1 . . 2 0 2 4 - 0 5 - 0 1 enter").search("rhubarb")
	open(e.turns[0].TurnID).mustNotShow(t, "not listed")
}

// That a turn does not match is said only where nothing that matches is left out.
func TestLinked_UnlistedMatchIsNotCalledNone(t *testing.T) {
	e := newFake(600)
	d := explore(e, 120, 40).search("lentils")
	all := d.found.Peek.Matches
	other := slices.IndexFunc(e.turns, func(t retrieval.Turn) bool { return t.Title != "Kitchen 🍅" })
	open := func(id uuid.UUID) *driver {
		d.openTurn(id, d.places.push)
		d.send(nil)
		return d
	}

	d.keys("1 g n enter")
	outside := slices.IndexFunc(all, func(m retrieval.Match) bool { return !d.timeline.Zoom().Holds(m.Time.Unix()) })
	open(all[outside].TurnID).mustShow(t, "not listed · turn ").mustNotShow(t, "not a match")
	open(e.turns[other].TurnID).mustShow(t, "not listed · turn ").mustNotShow(t, "not a match")

	d.keys("0").mustShow(t, "not a match · turn ")
	d.keys("/ end ctrl+u").typed("lentil")
	if len(d.found.Peek.Matches) == len(all) {
		t.Fatal("all matches are listed while one types")
	}
	open(all[len(all)-1].TurnID).mustShow(t, "not listed · turn ").mustNotShow(t, "not a match")

	e = newFake(6 * topK)
	d = explore(e, 120, 40).search("lentils")
	if !d.found.Peek.Coverage.Truncated {
		t.Fatal("all matches are found")
	}
	matching := slices.IndexFunc(e.turns, func(t retrieval.Turn) bool {
		match, _ := d.finder.Match(t.TurnID)
		return match == nil && strings.Contains(t.User+t.Assistant, "lentils")
	})
	open(e.turns[matching].TurnID).mustShow(t, "not listed · turn ").mustNotShow(t, "not a match")
}

func TestLinked_NextTurnMovesTheList(t *testing.T) {
	d := explore(newFake(600), 120, 40)
	d.keys("2 enter [")
	if d.results.Selected() != d.reader.Opened().TurnID {
		t.Error("the list stays on another turn, though this one is listed")
	}
}

func TestLinked_BrushStaysWhenAnotherMatchIsRead(t *testing.T) {
	d := explore(newFake(600), 120, 40).search("lentils").keys("1 g n v l l l")
	before, _ := d.timeline.Brushed()
	d.keys("2 j j")
	if now, ok := d.timeline.Brushed(); !ok || now != before {
		t.Errorf("the brush went from %v to %v", before, now)
	}
}

func TestLinked_RailPointsBeyondTheWindow(t *testing.T) {
	d := explore(newFake(600), 120, 40).search("lentils").keys("1 g n enter F 2 G")
	z := d.timeline.Zoom()
	for z.Holds(d.reader.Opened().Time.Unix()) {
		d.keys("k")
	}
	if !strings.Contains(d.screen(), "‹◆") && !strings.Contains(d.screen(), "◆›") {
		t.Fatalf("the rail does not point to what is read:\n%s", d.screen())
	}
	d.keys("V")
	if now := d.timeline.Zoom(); !now.Holds(d.reader.Opened().Time.Unix()) || now.Width() != z.Width() {
		t.Errorf("V shows %v to %v", utc(now.From), utc(now.To))
	}
	d.mustFollow(t, "the turn")
	if d.keys("u"); d.timeline.Zoom().Span != z.Span {
		t.Error("u does not undo V")
	}
}

func TestLinked_ZoomIsOnTheFullestBin(t *testing.T) {
	d := explore(newFake(600), 120, 40).search("lentils").keys("1 g n v l l l enter")
	c := d.timeline.Chart()
	for i, b := range c.Bins {
		if b.Count > c.Bins[c.Cursor].Count {
			t.Errorf("bin %d has %d, the one under the cursor %d", i, b.Count, c.Bins[c.Cursor].Count)
		}
	}
}

// The list has the newest turns. A brush over others is not empty, even before they are listed.
func TestLinked_BrushOverUnlistedTurns(t *testing.T) {
	d := explore(newFake(600), 120, 40)
	d.hold = true
	d.keys("1 g v").mustShow(t, " here, none of them listed").mustNotShow(t, "Nothing in the brush")
	d.hold = false
	d.finish().keys("enter").mustNotShow(t, "none of them listed")
}

func TestBookmark_FromEveryPane(t *testing.T) {
	e := newFake(600)
	for name, c := range map[string]struct{ keys, bookmark string }{
		"query":     {"/ end", "ctrl+p"},
		"histogram": {"1", ":"},
		"matches":   {"2 j", ":"},
		"turn":      {"2 enter ]", ":"},
		"info":      {"5", ":"},
		"chat":      {"c", "ctrl+p"},
	} {
		d := explore(e, 120, 40).search("lentils").keys("1 g n enter 2 j")
		d.keys(c.keys + " " + c.bookmark).typed("bookmark this").keys("enter enter")
		query, window, read := d.bar.Search().Text, d.timeline.Zoom().Span, d.reader.Wanted()
		if all := d.bookmarks.All(); len(all) != 1 {
			t.Fatalf("%s: %d bookmarks", name, len(all))
		}
		d.keys("esc").search("cancel").keys("0 2 G").keys(": b o o k m a r k s enter enter")
		if d.bar.Search().Text != query || d.timeline.Zoom().Span != window || d.reader.Wanted() != read || read == uuid.Nil {
			t.Errorf("%s: of %q in %v, it leads to %q in %v, another turn: %t", name, query, window,
				d.bar.Search().Text, d.timeline.Zoom().Span, d.reader.Wanted() != read)
		}
	}
}

// In a window of some hours, the name that is suggested has the time of the turn.
func TestBookmark_SuggestsTheTimeOfTheTurn(t *testing.T) {
	d := explore(newFake(600), 120, 40).search("lentils").keys("1 g n enter enter enter 2")
	at := d.reader.Opened().Time
	if d.timeline.Zoom().Width() >= zoom.DayLong || at == nil {
		t.Fatalf("in view is %v", d.timeline.Zoom().Span)
	}
	want := "lentils · " + at.Format("2 Jan 2006, 15:04")
	d.keys("b").mustShow(t, want+" ").keys("enter B").mustShow(t, want, "1 of 1")
}

// A turn that the query does not list lends the bookmark its title and its day, not the query's name.
func TestBookmark_OfAnotherConversation(t *testing.T) {
	e := newFake(600)
	d := explore(e, 120, 40).search("lentils source:chatgpt")
	other := slices.IndexFunc(e.turns, func(t retrieval.Turn) bool { return t.Title == "Garden" })
	d.openTurn(e.turns[other].TurnID, d.places.push)
	d.send(nil)
	want := "Garden · " + e.turns[other].Time.Format("2 Jan 2006")
	d.keys("b").mustShow(t, want+" ").keys("enter B").mustShow(t, want)
}

func TestBookmark_WhileAQueryRuns(t *testing.T) {
	d := explore(newFake(600), 120, 40).search("lentils")
	d.hold = true
	d.search("cancel").keys(": ").typed("bookmark this").keys("enter enter")
	d.release()
	if all := d.bookmarks.All(); len(all) != 1 || all[0].Place.Text != "cancel" || all[0].Place.Turn != "" {
		t.Errorf("the turn of the query before is kept: %+v", all)
	}
}
