package app

import (
	"slices"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"lens/tui/dialog"
	"lens/tui/state"
)

func TestPalette_RunsTheSelectedCommand(t *testing.T) {
	d := explore(newFake(300), 100, 30)
	d.search("cancel").keys("1 :")
	d.mustShow(t, "─ Commands ─", "Search  ", "find turns by words and meaning", "esc close")
	for _, r := range "finer" {
		d.send(tea.KeyPressMsg{Code: r, Text: string(r)})
	}
	before := d.timeline.Zoom().Unit()
	d.keys("enter")
	if d.dialogs.IsOpen() || d.timeline.Zoom().Unit() == before {
		t.Errorf("finer bars are by %v, the palette open: %v", d.timeline.Zoom().Unit(), d.dialogs.IsOpen())
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
	for !strings.Contains(d.screen(), "▌ One source only…") {
		d.keys("down")
	}
	d.keys("enter").mustShow(t, "Any source")
	d.keys("esc").mustShow(t, "Filters", "▌ One source only…")
	d.keys("enter down enter")
	if d.dialogs.IsOpen() {
		t.Errorf("a source was chosen, and the menu is still open:\n%s", d.screen())
	}
}

func TestDialog_FooterShowsItsKeys(t *testing.T) {
	for open, entries := range map[string]string{
		":":   "up/down move   enter select   esc close",
		"1 t": "enter accept   esc close",
		"?":   "up/down scroll   esc close",
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
	d.keys("1 t 2 0 ctrl+u").mustShow(t, "› 20")
	d.keys("ctrl+x").mustShow(t, "› 2024-05, ")
}

// The palette finds commands by what people call them.
func TestPalette_Synonyms(t *testing.T) {
	d := explore(newFake(300), 120, 40)
	for typed, want := range map[string]string{
		"find": "Search", "look": "Search", "when": "Go to a date", "jump": "Go to a date", "undo": "Back", "versus": "Compare with another query",
		"pin": "Compare with another query", "compare": "Compare with another query",
		"clipboard": "Copy a part", "download": "Export", "dark": "Theme", "start": "Home", "exit": "Quit",
		"ask": "Ask the archive", "zone": "Time zone", "redraw": "Redraw",
	} {
		d.keys(": " + strings.Join(strings.Split(typed, ""), " "))
		if rows := strings.Split(d.screen(), "\n"); !slices.ContainsFunc(rows, func(row string) bool {
			_, chosen, found := strings.Cut(row, "│  ▌ ")
			return found && strings.HasPrefix(chosen, want+" ")
		}) {
			t.Errorf("%s does not find %s:\n%s", typed, want, d.screen())
		}
		d.keys("esc")
	}
}

// What is not in the palette moves something, or edits a text, or is listed as another command.
func TestPalette_LeavesOutOnlyMotion(t *testing.T) {
	k := newModel(t.Context(), Options{}).keys
	moves := strings.Fields("next-pane previous-pane histogram matches turn interrupt commands previous-bin next-bin " +
		"previous-filled-bin next-filled-bin first last next-peak previous-peak pan-back pan-on brush-left brush-right " +
		"look-into leave zoom-in zoom-out down up next-match previous-match page-down page-up next-hit previous-hit " +
		"previous-turn next-turn previous-code next-code next-citation previous-citation")
	all, known := slices.Concat(k.global, k.welcome), map[string]bool{}
	for p := range paneCount {
		if !p.isTyped() {
			all = append(all, k.panes[p]...)
		}
	}
	for _, c := range all {
		known[c.ID] = true
		if o, ok := offerOf(c.ID); ok == slices.Contains(moves, c.ID) {
			t.Errorf("the palette offers %s (%q): %v", c.ID, o.name, ok)
		}
	}
	for _, o := range offers {
		if !known[o.id] || o.name == "" {
			t.Errorf("%s is %q, and a command: %v", o.id, o.name, known[o.id])
		}
	}
}

func TestPalette_BeginsWithWhatWasChosenLast(t *testing.T) {
	d := explore(newFake(300), 120, 40).keys(":")
	at := func(label string) int {
		return slices.IndexFunc(strings.Split(d.screen(), "\n"), func(row string) bool {
			return strings.Contains(row, "│  ▌ "+label) || strings.Contains(row, "│    "+label)
		})
	}
	if at("Search") < 0 || at("Ask the archive") != at("Search")+1 {
		t.Fatalf("it begins otherwise:\n%s", d.screen())
	}
	d.keys("t h e m e enter : e r r o r s enter :")
	if first := at("Errors"); at("Theme") != first+1 || at("Search") != first+2 {
		t.Errorf("after two choices it begins otherwise:\n%s", d.screen())
	}
}

func TestHelp_ThisPaneFirst(t *testing.T) {
	d := explore(newFake(300), 120, 40).keys("2 ?")
	d.mustShow(t, "─ Keys: Matches ─", "  Matches                             Everywhere",
		"space  unfold", "f  filters", "type to filter", "more below ─╯")
	d.keys("b o o k").mustShow(t, "b/B  bookmark, bookmarks").mustNotShow(t, "space  unfold", "No such key")
	d.keys("ctrl+u z z z").mustShow(t, "No such key. After esc, : finds all commands")
	d.keys("ctrl+u [").mustShow(t, "[/]  previous/next turn")
}

func TestPalette_RecentCommandsLastBeyondARun(t *testing.T) {
	e := newFake(100)
	d := explore(e, 120, 40).keys(": t h e m e enter")
	if len(d.recent) != 1 {
		t.Fatalf("chosen were %q", d.recent)
	}
	next := again(t, d, e)
	if !slices.Equal(next.recent, d.recent) {
		t.Errorf("the next run has %q", next.recent)
	}
	next.setLook(state.Look{Recent: strings.Repeat("a b c ", 100)})
	if len(next.recent) > mostRecent {
		t.Errorf("%d are recent", len(next.recent))
	}
}

// A person types what they want, as in the palette.
func TestHelp_FindsByThePalettesWords(t *testing.T) {
	d := explore(newFake(300), 120, 40).keys("1 ?")
	for typed, want := range map[string]string{
		"undo":           "u/U  back/forward",
		"order":          "s  best/newest/oldest",
		"markdown file":  "w  save to a file",
		"favorite":       "b/B  bookmark, bookmarks",
		"yank code":      "y t/c/l  copy turn, code, link",
		"percent":        "%  shares, or one scale",
		"chats by topic": "A  conversations",
		"dark":           "T t  next theme",
		"sources answer": "c  chat",
		"reset":          "0  show all",
		"last 90d":       "t  go to a date",
		"all words":      "#  matches or occurrences",
	} {
		d.keys("ctrl+u").typed(typed).mustShow(t, want).mustNotShow(t, "No such key")
	}
}

// A key that closes the help does nothing else, and no other key closes it.
func TestHelp_ClosingKeyDoesNotAct(t *testing.T) {
	for _, closing := range []string{"esc", "enter", "ctrl+g"} {
		d := explore(newFake(300), 120, 40).search("cancel").keys("1 g n")
		before, places := d.screen(), len(d.places.places)
		d.keys("? q j 2 T")
		if !d.dialogs.IsOpen() || d.quit {
			t.Fatal("a letter closes the help")
		}
		if d.keys(closing); d.dialogs.IsOpen() || d.screen() != before || len(d.places.places) != places {
			t.Errorf("%s acts:\n%s", closing, d.screen())
		}
	}
}

// The keys that complete a chord are listed after a pause. The screen behind stays as it is.
func TestWhich_ListsAfterAPause(t *testing.T) {
	d := explore(newFake(300), 120, 40).search("cancel")
	before := d.screen()
	d.hold = true
	if d.keys("T"); d.screen() != before {
		t.Fatalf("it is listed at once:\n%s", d.screen())
	}
	d.release()
	d.mustShow(t, "╭─ T … ─", "t   theme      dark, light, mono, ascii   │", "z   time zone  local or UTC")
	rows, was := strings.Split(d.screen(), "\n"), strings.Split(before, "\n")
	corner := rows[d.height-3]
	if !strings.HasSuffix(corner, "─╯") || ansi.StringWidth(corner) != d.width-1 || rows[0] != was[0] || !slices.Equal(rows[d.height-2:], was[d.height-2:]) {
		t.Errorf("it is not in the lower right corner:\n%s", d.screen())
	}
	if d.keys("z"); strings.Contains(d.screen(), "T …") || !d.local {
		t.Errorf("z does not complete it:\n%s", d.screen())
	}
	d.hold = true
	d.keys("y esc")
	d.release()
	d.mustNotShow(t, "y …")
	d.keys("y").mustShow(t, "y …", "c   copy the code").keys("esc").mustNotShow(t, "y …")
	d.keys("y esc").mustNotShow(t, "no meaning")
	d.keys("y ctrl+c").mustShow(t, "ctrl+c again quits")
}

func TestPalette_OfAQuestionIsOfTheChat(t *testing.T) {
	d := chatting(newFake(100), &investigator{}, 120, 40).keys("c")
	if d.focus != paneQuestion {
		t.Fatalf("the focus is in pane %d", d.focus)
	}
	d.keys("ctrl+p").typed("fold").mustShow(t, "Unfold the steps")
}

func TestToast_AtTheRightUntilTheNextKey(t *testing.T) {
	d := explore(newFake(300), 120, 40).keys("M")
	last := func() string { return strings.TrimRight(strings.Split(d.screen(), "\n")[d.height-1], " ") }
	if got := last(); !strings.HasSuffix(got, "   Mouse off (M turns it on)") || !strings.HasPrefix(got, "  h/l bar") {
		t.Errorf("the footer says %q", got)
	}
	if strings.Contains(d.View().Content, d.ui.Theme.Error.Render("Mouse off (M turns it on)")) {
		t.Error("a notice looks like a failure")
	}
	if d.keys("l"); strings.Contains(last(), "Mouse") {
		t.Errorf("the footer still says %q", last())
	}
}

// Where room is short, keys that work everywhere stay longer than those that are rarely wanted.
func TestFooter_RareKeysGiveWay(t *testing.T) {
	d := explore(newFake(300), 120, 40).search("cancel").keys("2")
	for notice, want := range map[string]string{
		"":                      "space unfold   / search   tab next pane   : commands   c chat   u back   ? keys",
		strings.Repeat("x", 20): "space unfold   / search   tab next pane   : commands   ? keys",
		strings.Repeat("x", 26): "space unfold   / search   tab next pane   c chat   ? keys",
	} {
		d.footer.Say(notice)
		last := strings.TrimSpace(strings.TrimSuffix(strings.TrimRight(ansi.Strip(d.footer.View()[0]), " "), notice))
		if last != "j/k match   enter read turn   "+want {
			t.Errorf("beside %q the footer says %q", notice, last)
		}
	}
}

// The footer lists what can be done now, and says it in the words of the moment.
func TestFooter_SaysWhatCanBeDoneNow(t *testing.T) {
	e := newFake(1200)
	d := chatting(e, investigation(e), 200, 60)
	says := func(want, without string) {
		t.Helper()
		last := d.footer.View()[0]
		if got := ansi.Strip(last); !strings.Contains(got, want) || without != "" && strings.Contains(got, without) {
			t.Errorf("the footer says %q, wanted is %q and not %q", got, want, without)
		}
	}
	says("? keys", "back")
	d.search("cancel").keys("2")
	says("u back   ", "forward")
	d.keys("u 2")
	says("U forward", "back")
	d.keys("1 g ; enter")
	says("0 show all", "")
	d.keys("0 4")
	says("enter ask   esc leave", "source")
	d.asks("When did I first cancel?")
	says("enter ask   n/N source   esc close", "stop")
	d.keys("n")
	says("enter open source", "")
}
