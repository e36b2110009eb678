package app

import (
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"

	"lens/tui/state"
)

// keeper saves sessions in memory.
type keeper struct {
	saved []Session
	fails error
}

// keeps returns a keeper with a session.
func keeps(s Session) *keeper { return &keeper{saved: []Session{s}} }

func (k *keeper) last() Session {
	if len(k.saved) == 0 {
		return Session{}
	}
	return k.saved[len(k.saved)-1]
}

func (k *keeper) Load() (Session, bool) { return k.last(), len(k.saved) > 0 }

func (k *keeper) Save(s Session) error {
	k.saved = append(k.saved, s)
	return k.fails
}

// again opens the same archive with a session that went through JSON, as between two runs.
func again(t *testing.T, d *driver, e *fakeEngine) *driver {
	t.Helper()
	text, err := json.Marshal(d.session(d.look()))
	if err != nil {
		t.Fatal(err)
	}
	var kept Session
	if err := json.Unmarshal(text, &kept); err != nil {
		t.Fatal(err)
	}
	return drive(Options{Archive: over(e), Sessions: keeps(kept)}, d.width, d.height)
}

func TestSession_IsRestored(t *testing.T) {
	e := newFake(1200)
	d := explore(e, 120, 40).search("lentils").keys("1 g n enter p 2 j x s T > > +")
	d.search("cancel").keys("1 g n enter [ 2 j j u 2 G 1")
	d.footer.Say("")
	next := again(t, d, e)
	if got, want := next.screen(), d.screen(); got != want {
		t.Errorf("the screen was:\n%s\nand is:\n%s", want, got)
	}
	for range 3 {
		d.keys("u")
		next.keys("u")
		if d.place() != next.place() {
			t.Errorf("u went back to %+v, and now to %+v", d.place(), next.place())
		}
	}
}

func TestSession_FirstFrameHasTheQuery(t *testing.T) {
	d := drive(Options{
		Archive:  broken(errors.New("not yet")),
		Sessions: keeps(Session{Places: []state.Place{{Search: state.Search{Text: "lentils"}}}}),
	}, 80, 24)
	d.mustShow(t, "/ lentils")
	if s := d.session(d.look()); len(s.Places) != 1 || s.Places[0].Text != "lentils" {
		t.Errorf("a run without an archive would keep %+v", s)
	}
}

func TestSession_OfAnotherArchive(t *testing.T) {
	kept := Session{
		At: 1, Look: state.Look{Chart: 99, Theme: "pink", Sizes: state.Sizes{List: 4000, Chart: -4000}},
		Places: []state.Place{{From: -5, To: 1 << 60, Bin: "17 fortnights"}, {
			Search: state.Search{Text: "cancel\x1b]52;c;x\a conversation:neither", Like: "no id"}, From: 1, To: 2, Cursor: 1 << 62, Turn: "nor this",
		}},
		Bookmarks: []state.Bookmark{{Name: "a\x1b[2Jb"}},
	}
	e := newFake(200)
	d := drive(Options{Archive: over(e), Sessions: keeps(kept)}, 100, 30)
	for _, keys := range []string{"1 u", "B down enter", "2 j", "U", "B ctrl+x"} {
		d.keys(keys)
		d.mustFill(t)
		if strings.Contains(d.View().Content, "\x1b]") || strings.Contains(d.View().Content, "\x1b[2J") {
			t.Fatal("a control sequence of the session reaches the screen")
		}
	}
	for _, at := range []int{-1, 2, 1 << 40} {
		drive(Options{Archive: over(e), Sessions: keeps(Session{At: at, Places: kept.Places})}, 80, 24).mustFill(t)
	}
}

func TestSession_ChangesAreSaved(t *testing.T) {
	e := newFake(400)
	k := &keeper{}
	d := drive(Options{Archive: over(e), Sessions: k}, 100, 30)
	if len(k.saved) != 0 {
		t.Error("a session is kept before anything was done")
	}
	d.search("apple").keys("1 g n enter")
	last := k.last()
	if here := last.Places[last.At]; here.Text != "apple" || here.From == 0 {
		t.Errorf("kept is %+v", here)
	}
	n := len(k.saved)
	if d.send(tea.MouseWheelMsg{X: 70, Y: 20, Button: tea.MouseWheelDown}); len(k.saved) > n {
		t.Error("scrolling a turn writes a session")
	}
	k.fails = errors.New("the disk is full")
	d.keys("0")
	d.mustShow(t, "Couldn't save the session: the disk is full")
}

func TestBookmarks_LeadBack(t *testing.T) {
	d := explore(newFake(1200), 120, 40).search("lentils").keys("1 g n enter 2 j j b enter")
	if len(d.bookmarks.All()) != 1 || !strings.HasPrefix(d.bookmarks.All()[0].Name, "lentils") {
		t.Fatalf("bookmarks are %+v", d.bookmarks.All())
	}
	query, view, read := d.bar.Text(), d.timeline.Zoom().View, d.reader.Wanted()
	d.search("apple").keys("1 0 B")
	d.mustShow(t, "lentils · ")
	d.keys("down enter")
	if d.bar.Text() != query || d.timeline.Zoom().Span != view.Span || d.reader.Opened() == nil || d.reader.Opened().TurnID != read {
		t.Errorf("the bookmark led to %q in %v", d.bar.Text(), d.timeline.Zoom().Span)
	}
	d.keys("u")
	if d.bar.Text() != "apple" {
		t.Error("back does not leave a bookmark")
	}
	d.keys("B down ctrl+x")
	if len(d.bookmarks.All()) != 0 {
		t.Error("ctrl+x does not drop the bookmark")
	}
}

func TestBookmarks_NameHasTitlesInsteadOfIDs(t *testing.T) {
	d := explore(newFake(600), 120, 40).search("cancel source:chatgpt").keys("2 f enter b")
	d.mustShow(t, "cancel · ", "source:chatgpt", "in “")
	d.mustNotShow(t, "· conversation:")
}

func TestRemap_OtherKeys(t *testing.T) {
	k := newModel(t.Context(), Options{}).keys
	err := k.remap(map[string][]string{"histogram.zoom": {"space"}, "quit": {"Q", "q"}, "next-theme": {"ctrl+t"}})
	if err != nil {
		t.Fatal(err)
	}
	if c, ok := k.find(paneTimeline, "space"); !ok || c.ID != "zoom" {
		t.Errorf("space is %q in the histogram", c.ID)
	}
	if c, ok := k.find(paneReader, "space"); !ok || c.ID != "page-down" {
		t.Errorf("space is %q in the turn", c.ID)
	}
	if _, ok := k.find(paneReader, "T"); ok {
		t.Error("T still is the next theme")
	}
	if !slices.ContainsFunc(hints(k.panes[paneTimeline]), func(h hint) bool { return h.keys == "space" && h.does == "zoom" }) {
		t.Error("the help does not know the new key")
	}
}

func TestRemap_TakesTheKeyFromItsCommand(t *testing.T) {
	k := newModel(t.Context(), Options{}).keys
	if err := k.remap(map[string][]string{"next-theme": {"q"}, "quit": {"ctrl+q"}}); err != nil {
		t.Fatal(err)
	}
	if c, _ := k.find(paneReader, "q"); c.ID != "next-theme" {
		t.Errorf("q is %q", c.ID)
	}
}

func TestRemap_RefusesInvalidKeys(t *testing.T) {
	for name, other := range map[string]map[string][]string{
		`no such command: "zoooom"`:       {"zoooom": {"z"}},
		`"quit" must keep a key`:          {"quit": {}},
		`"help" must keep a key`:          {"next-theme": {"?"}},
		`no such command: "turn.zoom"`:    {"turn.zoom": {"z"}},
		`no such command: "nowhere.quit"`: {"nowhere.quit": {"z"}},
	} {
		k := newModel(t.Context(), Options{}).keys
		if err := k.remap(other); err == nil || !strings.Contains(err.Error(), name) {
			t.Errorf("%v: %v, want %s", other, err, name)
		}
	}
}
