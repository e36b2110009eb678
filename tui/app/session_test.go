package app

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"

	"lens/tui/state"
	"lens/tui/timeline"
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

func TestSession_OrderIsThatOfItsQuery(t *testing.T) {
	e := newFake(100)
	d := explore(e, 120, 40).search("cancel").keys("2 s").mustShow(t, "newest first")
	d = again(t, d, e).mustShow(t, "newest first")
	d.search("lemon").mustShow(t, "best first").keys("u").mustShow(t, "best first")
}

func TestSession_IsRestored(t *testing.T) {
	e := newFake(1200)
	d := explore(e, 120, 40).search("lentils").keys("1 g n enter p enter 2 j x s T ) )")
	d.search("cancel").keys("1 g n enter < 2 j j u 2 G 1 P ctrl+x esc")
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

func TestSession_KeepsTheLookOfTheChart(t *testing.T) {
	e := newFake(300)
	d := explore(e, 120, 40).search("lentils").keys("p enter")
	for _, look := range []timeline.Look{
		{Form: timeline.Line, Share: true, Counted: timeline.Matches},
		{Form: timeline.Rows, OneScale: true, Counted: timeline.Occurrences}, // its pinned queries are gone
	} {
		d.timeline.SetLook(look)
		if look.Form == timeline.Rows {
			look.Form = timeline.Bars
		}
		if got := again(t, d, e).timeline.Look(); got != look {
			t.Errorf("%+v became %+v", look, got)
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

// readOnly returns a driver of an archive that becomes read-only, with sessions that fail.
func readOnly(fails error) *driver {
	archive := over(newFake(100))
	d := newDriver(Options{Archive: archive, Sessions: &keeper{fails: fails}})
	checks := 0
	archive.limit = func(context.Context) (string, string) {
		if checks++; checks > 1 {
			d.hold = true // the next check
		}
		return "read-only", "read-only: cannot write to the folder"
	}
	return d
}

// That nothing is kept in a read-only folder is said once, at the start, not as a failure.
func TestSession_OfAReadOnlyFolder(t *testing.T) {
	d := readOnly(fmt.Errorf("cannot save: %w", ErrReadOnly))
	d.start(120, 40).mustShow(t, "read-only · ", "Read-only folder: history and bookmarks are not kept")
	d.hold = false
	d.keys("s").mustNotShow(t, "not kept", "Couldn't save")
	if err := d.keeper.Saving(d.session(d.look()))(); err != nil {
		t.Errorf("at the end: %v", err)
	}
}

// Another process may write to the archive, or the archive be a read-only one elsewhere: that excuses no full disk.
func TestSession_OfAReadOnlyArchive(t *testing.T) {
	full := errors.New("the disk is full")
	d := readOnly(full)
	d.start(120, 40).mustShow(t, "read-only · ", "Couldn't save the session")
	if err := d.keeper.Saving(d.session(d.look()))(); !errors.Is(err, full) {
		t.Errorf("at the end: %v", err)
	}
}

func TestSession_OfAnotherArchive(t *testing.T) {
	kept := Session{
		At: 1, Look: state.Look{Chart: 99, Counted: 99, Theme: "pink", Sizes: state.Sizes{List: 4000, Chart: -4000}},
		Places: []state.Place{{From: -5, To: 1 << 60, Bin: "17 fortnights"}, {
			Search: state.Search{Text: "cancel\x1b]52;c;x\a conversation:neither", Like: "no id"}, From: 1, To: 2, Cursor: 1 << 62, Turn: "nor this",
		}},
		Bookmarks: []state.Bookmark{{Name: "a\x1b[2Jb"}},
	}
	e := newFake(200)
	d := drive(Options{Archive: over(e), Sessions: keeps(kept)}, 100, 30)
	for _, keys := range []string{"1 u", "B enter", "2 j", "U", "B ctrl+x"} {
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
	d.keys("enter")
	if d.bar.Text() != query || d.timeline.Zoom().Span != view.Span || d.reader.Opened() == nil || d.reader.Opened().TurnID != read {
		t.Errorf("the bookmark led to %q in %v", d.bar.Text(), d.timeline.Zoom().Span)
	}
	d.keys("u")
	if d.bar.Text() != "apple" {
		t.Error("back does not leave a bookmark")
	}
	d.keys("B ctrl+x")
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
	notice, err := k.remap(map[string][]string{
		"histogram.look-into": {"space"}, "quit": {"Q", "q"}, "next-theme": {"ctrl+t"}, "histogram.zoom-in": {"b"}, "copy": {"y"},
	})
	if err != nil || notice != "" {
		t.Fatal(notice, err)
	}
	for _, want := range []struct {
		p       pane
		key, id string
	}{
		{paneTimeline, "space", "look-into"},
		{paneTimeline, "enter", ""},
		{paneResults, "space", "unfold"},
		{paneReader, "T,t", ""},
		{paneReader, "ctrl+t", "next-theme"},
		{paneReader, "b", "zoom-in"}, // from a command that works in every pane, too
		{paneReader, "y", "copy"},
		{paneReader, "y,c", ""},
		{paneReader, "Y", ""},
	} {
		if c, _ := k.find(want.p, want.key); c.ID != want.id {
			t.Errorf("%s is %q in %s, not %q", want.key, c.ID, paneTable[want.p].name, want.id)
		}
	}
	if !slices.ContainsFunc(hints(k.panes[paneTimeline]), func(h hint) bool { return h.label() == "space" && h.does == "zoom" }) {
		t.Error("the help does not know the new key")
	}
}

func TestRemap_TakesTheKeyFromItsCommand(t *testing.T) {
	k := newModel(t.Context(), Options{}).keys
	if _, err := k.remap(map[string][]string{"next-theme": {"q"}, "quit": {"ctrl+q"}}); err != nil {
		t.Fatal(err)
	}
	if c, _ := k.find(paneReader, "q"); c.ID != "next-theme" {
		t.Errorf("q is %q", c.ID)
	}
}

// Names of an older keys.yaml mean what they meant, or nothing. The explorer starts and says so.
func TestRemap_OlderNames(t *testing.T) {
	for name, want := range map[string]struct{ notice, is string }{
		"histogram.zoom":       {"keys.yaml: histogram.zoom is now histogram.look-into", "look-into"},
		"zoom":                 {"keys.yaml: zoom is now histogram.look-into", "look-into"},
		"scroll-down":          {"keys.yaml: scroll-down is now down", "down"},
		"histogram.keep-scope": {"keys.yaml: histogram.keep-scope is now keep-all", "keep-all"},
		"histogram.pin":        {"keys.yaml: histogram.pin is now pin", "pin"},
		"home.import":          {"keys.yaml: home.import is now welcome.import", ""},
		"next-of-conversation": {"keys.yaml: next-of-conversation is not a command", ""},
		"turn.zoom":            {"keys.yaml: turn.zoom is not a command", ""},
		"nowhere.quit":         {"keys.yaml: nowhere.quit is not a command", ""},
		"zoooom":               {"keys.yaml: zoooom is not a command", ""},
		"finer-bins":           {"", "finer-bins"},
	} {
		keys := map[string][]string{name: {"f9"}}
		d := drive(Options{Archive: over(newFake(100)), Settings: Settings{Keys: keys}}, 120, 30)
		c, _ := d.model.keyboard.keys.find(paneTimeline, "f9")
		if c.ID != want.is {
			t.Errorf("%s gives the key to %q, not %q", name, c.ID, want.is)
		}
		if want.notice != "" {
			d.mustShow(t, want.notice)
		}
		if d.keys("2"); want.notice != "" {
			d.mustNotShow(t, want.notice)
		}
	}
}

// Renamed commands are gone, and what they are now exists.
func TestRemap_RenamesLeadToCommands(t *testing.T) {
	k := newModel(t.Context(), Options{}).keys
	for was, is := range renames {
		if k.has(was) || !k.has(is) {
			t.Errorf("%s is there: %v; %s is there: %v", was, k.has(was), is, k.has(is))
		}
	}
}

func TestRemap_RefusesInvalidKeys(t *testing.T) {
	for name, other := range map[string]map[string][]string{
		`"quit" must keep a key`: {"quit": {}},
		`"help" must keep a key`: {"next-theme": {"?"}},
	} {
		k := newModel(t.Context(), Options{}).keys
		if _, err := k.remap(other); err == nil || !strings.Contains(err.Error(), name) {
			t.Errorf("%v: %v, want %s", other, err, name)
		}
	}
}
