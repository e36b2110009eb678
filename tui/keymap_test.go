package tui

import (
	"slices"
	"strings"
	"testing"

	"lens/tui/ui"

	"github.com/charmbracelet/x/ansi"
)

// The help lists exactly the keys that work in a pane.
func TestHelp_MatchesTheKeymap(t *testing.T) {
	k := newModel(t.Context(), Options{}).keys
	for _, p := range panesWithKeys {
		told := slices.Concat(k.helpCommands(p), k.helpCommands(nowhere))
		for _, c := range told {
			if c.Group == "" || len(c.Keys()) == 0 || strings.Contains(c.Keys()[0], then) {
				continue
			}
			got, ok := k.find(p, c.Keys()[0])
			if k.begins(p, c.Keys()[0]) {
				got, ok = ui.Command{}, false
			}
			if at := named(k.of(p), c.ID); at >= 0 { // the pane's own version of the command
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
	if !slices.ContainsFunc(k.helpCommands(paneMatches), func(c ui.Command) bool { return c.ID == "bookmark" }) {
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
