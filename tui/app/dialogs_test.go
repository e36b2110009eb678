package app

import (
	"slices"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"

	"lens/tui/dialog"
)

func TestPalette_RunsTheSelectedCommand(t *testing.T) {
	d := explore(newFake(300), 100, 30)
	d.search("cancel").keys("1 :")
	d.mustShow(t, "Commands", "next peak")
	for _, r := range "zoom in" {
		d.send(tea.KeyPressMsg{Code: r, Text: string(r)})
	}
	before := d.timeline.Zoom().Span
	d.keys("enter")
	if d.dialogs.IsOpen() || d.timeline.Zoom().Span == before || !before.Covers(d.timeline.Zoom().Span) {
		t.Errorf("zoom in led from %v to %v, the palette open: %v", before, d.timeline.Zoom().Span, d.dialogs.IsOpen())
	}
}

func TestDialog_EscChangesNothing(t *testing.T) {
	d := explore(newFake(300), 100, 30)
	d.search("cancel").keys("2 j")
	before := d.screen()
	d.keys(": z o o esc")
	if d.dialogs.IsOpen() || d.screen() != before {
		t.Errorf("esc left another screen:\n%s", d.screen())
	}
}

func TestDialog_EscLeadsBackToItsMenu(t *testing.T) {
	d := explore(newFake(100), 100, 30).search("cancel").keys("2 f")
	for !strings.Contains(d.screen(), "> One source only…") {
		d.keys("down")
	}
	d.keys("enter").mustShow(t, "Any source")
	d.keys("esc").mustShow(t, "Filters", "> One source only…")
	d.keys("enter down enter")
	if d.dialogs.IsOpen() {
		t.Errorf("a source was chosen, and the menu is still open:\n%s", d.screen())
	}
}

func TestDialog_FooterShowsItsKeys(t *testing.T) {
	for open, entries := range map[string]string{
		":":   "up down move  enter select  esc close",
		"1 t": "enter accept  esc close",
		"?":   "j k scroll  space b page  q close",
	} {
		d := explore(newFake(300), 100, 30).keys(open)
		footer := strings.Split(d.screen(), "\n")[d.height-1]
		if strings.TrimSpace(footer) != entries {
			t.Errorf("%s: the footer says %q, not %q", open, footer, entries)
		}
	}
}

func TestDialog_FitsEveryScreen(t *testing.T) {
	for _, size := range [][2]int{{40, 8}, {59, 14}, {80, 24}, {200, 60}} {
		d := explore(newFake(100), size[0], size[1])
		d.keys(":")
		lines := strings.Split(d.screen(), "\n")
		if len(lines) != size[1] || !slices.ContainsFunc(lines, func(l string) bool { return strings.Contains(l, "Commands") }) {
			t.Errorf("%v: the palette is not on the screen:\n%s", size, d.screen())
		}
	}
}

func TestPrompt_RefusedAnswerCanBeCorrected(t *testing.T) {
	d := explore(newFake(10), 80, 24)
	taken := ""
	d.dialogs.Open(dialog.NewPrompt(d.ui, dialog.PromptOptions{Label: "Name", Hint: "a word", Answer: func(text string) (tea.Cmd, string) {
		if text == "x" {
			return nil, "x is no name"
		}
		taken = text
		return nil, ""
	}}))
	d.keys("x enter")
	d.mustShow(t, "x is no name")
	d.keys("backspace y enter")
	if taken != "y" || d.dialogs.IsOpen() {
		t.Errorf("taken is %q, the question open: %v", taken, d.dialogs.IsOpen())
	}
}

func TestKeymap_UniqueNamesAndKeys(t *testing.T) {
	k := newModel(t.Context(), Options{}).keys
	for name, set := range k.sets() {
		names, keys := map[string]bool{}, map[string]bool{}
		for _, c := range *set {
			if names[c.ID] || c.ID == "" || c.Do == nil {
				t.Errorf("%s: a command without a name, twice, or without an action: %q", name, c.ID)
			}
			names[c.ID] = true
			for _, key := range c.Keys() {
				if keys[key] {
					t.Errorf("%s: the key %q is taken twice", name, key)
				}
				keys[key] = true
			}
		}
	}
}

func TestPrompt_EditsWithTheKeysOfTheQuery(t *testing.T) {
	e := newFake(10)
	d := drive(Options{
		Archive:  over(e),
		Settings: Settings{Keys: map[string][]string{"query.clear": {"ctrl+x"}}},
	}, 80, 24)
	d.keys("1 t 2 0 ctrl+u").mustShow(t, "/ 20")
	d.keys("ctrl+x").mustShow(t, "/ 2024-05, ")
}

// The palette finds commands by what people call them.
func TestPalette_Synonyms(t *testing.T) {
	d := explore(newFake(300), 120, 40)
	known := map[string]bool{}
	for _, set := range append(d.keyboard.keys.panes[:], d.keyboard.keys.global, d.keyboard.keys.welcome) {
		for _, c := range set {
			known[c.ID] = true
		}
	}
	for id := range synonyms {
		if !known[id] {
			t.Errorf("%s is no command", id)
		}
	}
	for typed, want := range map[string]string{
		"find": "query", "when": "type range", "jump": "type range",
		"undo": "back", "versus": "pin", "clipboard": "copy", "download": "write", "dark": "next theme",
		"start": "home", "exit": "quit", "ask": "chat", "zone": "local time",
	} {
		d.keys(": " + strings.Join(strings.Split(typed, ""), " "))
		if rows := strings.Split(d.screen(), "\n"); !slices.ContainsFunc(rows, func(row string) bool {
			_, chosen, found := strings.Cut(row, "│> ")
			return found && strings.HasPrefix(chosen, want+" ")
		}) {
			t.Errorf("%s does not find %s:\n%s", typed, want, d.screen())
		}
		d.keys("esc")
	}
}
