package app

import (
	"cmp"
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
)

// sameMeaning has commands that mean the same under names of their own: the next hit of what one looks at.
var sameMeaning = map[string]string{
	"next-peak": "next-hit", "next-match": "next-hit", "next-citation": "next-hit",
	"previous-peak": "previous-hit", "previous-match": "previous-hit", "previous-citation": "previous-hit",
}

// A key means the same in every pane, as far as it means anything there. Panes with text are left out.
func TestKeymap_OneMeaningAKey(t *testing.T) {
	k := newModel(t.Context(), Options{}).keys
	means := map[string]string{}
	for p := range paneCount {
		if p.isTyped() {
			continue
		}
		for _, c := range k.at(p) {
			meaning := cmp.Or(sameMeaning[c.ID], c.ID)
			for _, key := range c.Keys() {
				if was, ok := means[key]; ok && was != meaning {
					t.Errorf("%s is %s, and %s in %s", key, was, meaning, paneTable[p].name)
				}
				means[key] = meaning
			}
		}
	}
	for key := range means {
		if first, _, chord := strings.Cut(key, then); chord && first != "" && means[first] != "" {
			t.Errorf("%s is %s, and begins %s", first, means[first], key)
		}
	}
	if len(means) < 80 {
		t.Errorf("this test sees %d keys", len(means))
	}
}

// The keys of the manual, in the panes in which they mean something.
func TestKeymap_Keys(t *testing.T) {
	k := newModel(t.Context(), Options{}).keys
	panes := map[string]pane{
		"histogram": paneTimeline, "matches": paneResults, "turn": paneReader, "info": paneDetails, "chat": paneChat, "home": paneHome,
	}
	for _, row := range []struct{ in, keys, commands string }{
		{"histogram matches turn info chat home", "/ tab shift+tab 1 2 3 4 5", "query next-pane previous-pane histogram matches turn chat info"},
		{"histogram matches info chat home", "enter", "look-into"},
		{"histogram matches turn info chat home", "u backspace U", "back back forward"},
		{"histogram matches turn info chat", "esc", "leave"},
		{"histogram matches turn info chat home", "h l left right", "previous-bin next-bin previous-bin next-bin"},
		{"histogram matches turn", ", ; H L v", "previous-filled-bin next-filled-bin pan-back pan-on brush"},
		{"histogram matches turn", "shift+left shift+right", "brush-left brush-right"},
		{"matches turn info chat home", "j k g G down up", "down up first last down up"},
		{"matches turn info chat", "pgup pgdown ctrl+u ctrl+d", "page-up page-down page-up page-down"},
		{"turn", "n N", "next-hit previous-hit"},
		{"histogram matches turn", "[ ]", "previous-turn next-turn"},
		{"turn", "{ }", "previous-code next-code"},
		{"histogram matches turn", "< > + - 0 a t", "finer-bins coarser-bins zoom-in zoom-out show-all auto-bins type-range"},
		{"home", "t", "type-range"},
		{"histogram matches turn info chat home", "b B p P", "bookmark bookmarks pin pinned"},
		{"histogram matches turn home", "y,t y,c y,l y,a w e |", "copy-turn copy-code copy-link copy-answer write editor pager"},
		{"histogram matches turn", "s f C % F z", "sort filters next-chart toggle-share keep-all maximise"}, //nolint:misspell // a command id
		{"matches turn", "x", "more-like-this"},
		{"matches", "space *", "unfold mark"},
		{"turn", "o m !", "links toggle-raw next-version"},
		{"chat", "d r", "fold-steps retry"},
		{"histogram matches turn info chat home", "c i ctrl+n ctrl+o", "chat chat new-session sessions"},
		{"histogram matches turn", "V r X", "bring-window retry drop-filter"},
		{"histogram matches turn info chat home", "A : ctrl+p ? . E I O", "conversations commands commands help jobs errors landmarks search-offline"},
		{"histogram matches turn info chat home", "T,t T,z M ( )", "next-theme local-time toggle-mouse narrower wider"},
		{"histogram matches turn info chat home", "ctrl+l ctrl+z ctrl+c ctrl+y q", "redraw suspend interrupt take-suggestion quit"},
	} {
		commands := strings.Fields(row.commands)
		for _, in := range strings.Fields(row.in) {
			for i, key := range strings.Fields(row.keys) {
				if c, _ := k.find(panes[in], key); c.ID != commands[i] {
					t.Errorf("in %s, %s is %q, not %s", in, key, c.ID, commands[i])
				}
			}
		}
	}
}

func TestKeymap_KeyWithoutMeaningSaysWhereItHasOne(t *testing.T) {
	d := explore(newFake(100), 120, 30).search("cancel")
	for keys, want := range map[string]string{
		"1 space": "space works in Matches (? lists the keys)",
		"3 *":     "* works in Matches",
		"1 x":     "x works in Matches and Turn",
		"2 }":     "} works in Turn",
		"2 d":     "d works in Chat",
		"1 J":     "J has no meaning (? lists the keys)",
		"1 y q":   "y q has no meaning",
		"1 O":     "O has no meaning here",
	} {
		d.keys(keys).mustShow(t, want)
	}
	d.keys("1 space l").mustNotShow(t, "space works in")
	explore(newFake(100), 120, 30).keys("esc esc").mustShow(t, "Nothing to go back to (? lists the keys)")
}

func TestHelp_NothingIsCutOff(t *testing.T) {
	k := newModel(t.Context(), Options{}).keys
	for _, set := range k.sets() {
		for _, h := range hints(*set) {
			if keys := ansi.StringWidth(h.label()); keys > 13 || ansi.StringWidth(h.does) > 30 {
				t.Errorf("%q: %q has no room", h.label(), h.does)
			}
		}
	}
}

func TestKeymap_KeyOfACommand(t *testing.T) {
	keys := map[string][]string{"errors": {"ctrl+e", "E"}, "redraw": {}, "chat.retry": {"x"}}
	m := newModel(t.Context(), Options{Settings: Settings{Keys: keys}})
	for name, want := range map[string]string{
		"errors":          "ctrl+e",
		"chat.retry":      "x",
		"turn.toggle-raw": "m",
		"copy-code":       "y c",
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
	keys := map[string][]string{"errors": {"ctrl+e"}, "retry": {"ctrl+r"}, "ask.send": {"ctrl+d"}, "chat": {"ctrl+t"}}
	d := drive(Options{Archive: over(e), Chat: i.chat(), Settings: Settings{Keys: keys}}, 120, 40)
	d.search("x").mustShow(t, "ctrl+r retry · ctrl+e details")
	d.keys("ctrl+t").mustShow(t, "Ask about your archive (ctrl+d sends)")
	d.keys("esc tab").mustShow(t, "ctrl+t asks about your archive")
}

func TestKeymap_EmptyListShowsRemappedKeys(t *testing.T) {
	keys := map[string][]string{
		"query.leave-query": {"ctrl+g"}, "drop-filter": {"ctrl+d"}, "matches": {"f2"}, "matches.filters": {"ctrl+f"}, "pin": {"="},
	}
	d := drive(Options{Archive: over(newFake(100)), Settings: Settings{Keys: keys}}, 100, 30)
	d.search("apple title:nowhere").mustShow(t, "ctrl+d drops the last · ctrl+f all filters")
	d.keys("/").mustShow(t, "ctrl+g, then ctrl+d drops the last")
	d.keys("ctrl+g 1 C C").mustShow(t, "Bars (= compares queries)")
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
