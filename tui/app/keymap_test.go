package app

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"

	"lens/tui/ui"
)

// The help lists exactly the keys that work in a pane.
func TestHelp_MatchesTheKeymap(t *testing.T) {
	k := newModel(t.Context(), Options{}).keys
	for p := range paneCount {
		if p.isTyped() {
			continue
		}
		entries := slices.Concat(k.helpCommands(p), k.helpCommands(nowhere))
		for _, c := range entries {
			if c.Group == "" || len(c.Keys()) == 0 || strings.Contains(c.Keys()[0], then) {
				continue
			}
			got, ok := k.find(p, c.Keys()[0])
			if k.begins(p, c.Keys()[0]) {
				got, ok = ui.Command{}, false
			}
			if at := named(k.panes[p], c.ID); at >= 0 { // the pane's own version of the command
				continue
			}
			if !ok || got.ID != c.ID {
				t.Errorf("pane %d: the help says %s is %s, but it is %q", p, c.Keys()[0], c.ID, got.ID)
			}
		}
	}
	if slices.ContainsFunc(k.helpCommands(nowhere), func(c ui.Command) bool { return c.ID == "bookmark" }) {
		t.Error("the help lists b for bookmarks everywhere")
	}
	if !slices.ContainsFunc(k.helpCommands(paneResults), func(c ui.Command) bool { return c.ID == "bookmark" }) {
		t.Error("the help does not list b for bookmarks in the matches")
	}
}

func TestHelp_NothingIsCutOff(t *testing.T) {
	k := newModel(t.Context(), Options{}).keys
	for _, set := range k.sets() {
		for _, h := range hints(*set) {
			if keys := ansi.StringWidth(h.keys); keys > 13 || ansi.StringWidth(h.does) > columnWidth-15 {
				t.Errorf("%q: %q has no room", h.keys, h.does)
			}
		}
	}
}

func TestChord_NoticeListsTheNextKeys(t *testing.T) {
	d := explore(newFake(100), 100, 30).search("cancel").keys("3 ]")
	d.mustShow(t, "]…  c next code")
	d.keys("esc").mustNotShow(t, "]…")
}

func TestKeymap_KeyOfACommand(t *testing.T) {
	keys := map[string][]string{"errors": {"ctrl+e", "E"}, "redraw": {}, "chat.retry": {"x"}}
	m := newModel(t.Context(), Options{Settings: Settings{Keys: keys}})
	for name, want := range map[string]string{
		"errors":          "ctrl+e",
		"chat.retry":      "x",
		"turn.toggle-raw": "m",
		"turn.next-code":  "]c",
		"turn":            "3",
		"redraw":          ": redraw", // it has no key
	} {
		if got := m.ui.Key(name); got != want {
			t.Errorf("%s has the key %q, want %q", name, got, want)
		}
	}
}

// Texts on the screen name commands that exist.
func TestKeymap_TextsNameCommands(t *testing.T) {
	k := newModel(t.Context(), Options{}).keys
	inText := regexp.MustCompile(`\.Key\("([^"]+)"\)`)
	seen := 0
	err := filepath.WalkDir(".", func(name string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() || !strings.HasSuffix(name, ".go") || strings.HasSuffix(name, "_test.go") {
			return err
		}
		source, err := os.ReadFile(name)
		for _, found := range inText.FindAllStringSubmatch(string(source), -1) {
			seen++
			pane, id, scoped := strings.Cut(found[1], ".")
			if !scoped {
				pane, id = "everywhere", found[1]
			}
			if set := k.sets()[pane]; set == nil || named(*set, id) < 0 {
				t.Errorf("%s: there is no command %q", name, found[1])
			}
		}
		return err
	})
	if err != nil || seen < 8 {
		t.Fatalf("%d texts: this test looks in the wrong place: %v", seen, err)
	}
}

func TestKeymap_TextsShowRemappedKeys(t *testing.T) {
	e := newFake(100)
	e.before = func(_ context.Context, call string) error {
		if strings.HasPrefix(call, "peek") {
			return errors.New("the disk cannot be read")
		}
		return nil
	}
	i := investigation(e)
	keys := map[string][]string{"errors": {"ctrl+e"}, "redraw": {"ctrl+r"}, "ask.send": {"ctrl+d"}, "chat": {"ctrl+t"}}
	d := drive(Options{Archive: over(e), Chat: i.chat(), Settings: Settings{Keys: keys}}, 120, 40)
	d.search("x").mustShow(t, "ctrl+r retry · ctrl+e details")
	d.keys("ctrl+t").mustShow(t, "Ask about your archive (ctrl+d sends)")
	d.keys("esc").mustShow(t, "ctrl+t to ask")
}

func TestKeymap_EmptyListShowsRemappedKeys(t *testing.T) {
	keys := map[string][]string{
		"query.leave-query": {"ctrl+g"}, "drop-filter": {"ctrl+d"}, "matches": {"f2"}, "matches.filters": {"F"}, "histogram.pin": {"P"},
	}
	d := drive(Options{Archive: over(newFake(100)), Settings: Settings{Keys: keys}}, 100, 30)
	d.search("apple title:nowhere").mustShow(t, "ctrl+d drops the last · f2 F all filters")
	d.keys("/").mustShow(t, "ctrl+g, then ctrl+d drops the last")
	d.keys("ctrl+g 1 C C").mustShow(t, "Bars (P pins a query to compare)")
}

// A pane is a row of the table, a component, its commands, and a command of the same name that focuses it.
func TestPanes_AreReachedAndDrawn(t *testing.T) {
	for _, size := range sizes[:3] {
		d := explore(newFake(100), size.w, size.h)
		for p := range paneCount {
			row := paneTable[p]
			if row.name == "" || row.title == "" || len(d.model.keyboard.keys.panes[p]) == 0 {
				t.Errorf("pane %d is %+v with %d commands", p, row, len(d.model.keyboard.keys.panes[p]))
			}
			if p == paneQuestion { // the chat focuses its question
				continue
			}
			c := d.component(p)
			if c == nil || !slices.Contains(append(d.parts(), d.chat), any(c)) {
				t.Errorf("%s has the component %T, which is no part", row.name, c)
			}
			at := named(d.model.keyboard.keys.global, row.name)
			if at < 0 {
				t.Errorf("no command focuses %s", row.name)
				continue
			}
			d.enqueue(d.model.keyboard.keys.global[at].Do())
			d.work()
			d.send(nil)
			if d.focus != p && p != paneChat {
				t.Errorf("%s focuses pane %d", row.name, d.focus)
			}
			if d.mustFill(t); d.layout().at[p].isEmpty() {
				t.Errorf("%v: %s is not drawn", size, row.name)
			}
		}
	}
}
