package dialog

import (
	"context"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"lens/tui/theme"
	"lens/tui/ui"
	"lens/tui/ui/uitest"
)

// stage is a stack with a screen.
type stage struct {
	*Stack
	*uitest.Driver
}

func empty() stage {
	s := new(Stack)
	s.SetSize(80, 24)
	return stage{s, uitest.Drive(uitest.Context(theme.ASCII), s)}
}

func show(of func(*ui.Context) Dialog) stage {
	s := empty()
	s.Open(of(s.UI))
	return s
}

// press presses keys.
func (s stage) press(keys string) stage {
	s.Press(keys)
	return s
}

// lineOf returns the line of the screen that has a text.
func (s stage) lineOf(text string) int {
	return s.Place().Y + slices.IndexFunc(strings.Split(s.Text(), "\n"), func(l string) bool { return strings.Contains(l, text) })
}

// fruit is a menu that notes the choice.
func fruit(chosen *string) func(*ui.Context) Dialog {
	return func(c *ui.Context) Dialog {
		var items []Item
		for _, name := range []string{"apple", "pineapple", "pear", "plum"} {
			items = append(items, Item{ID: name, Label: name, Right: name[:1], Do: func() tea.Cmd { *chosen = name; return nil }})
		}
		eat := func(item Item) (tea.Cmd, string) {
			if item.ID == "pear" {
				return nil, "Pears are for later"
			}
			*chosen = "eaten " + item.ID
			return nil, ""
		}
		return NewMenu(c, MenuOptions{Title: "Fruit", None: "No such fruit", Items: items, Also: map[string]Action{"ctrl+x": {Do: eat}}})
	}
}

func TestMenu_TypingFilters(t *testing.T) {
	var chosen string
	s := show(fruit(&chosen)).press("down down a p p l e")
	s.MustShow(t, "> apple", "> apple", "pineapple", "2 of 4")
	if s.press("down enter"); chosen != "pineapple" || s.IsOpen() {
		t.Errorf("chosen is %q, open %v", chosen, s.IsOpen())
	}
	s = show(fruit(&chosen))
	s.Paste("zz\x1b]0;x\x07")
	s.MustShow(t, "No such fruit", "0 of 4")
	if s.press("enter"); !s.IsOpen() {
		t.Error("nothing is chosen, and the menu closed")
	}
	if s.press("esc"); s.IsOpen() {
		t.Error("esc leaves it open")
	}
}

// Beginnings of words of what an item says or is also called come before letters in order.
func TestMenu_TypingFindsOtherNames(t *testing.T) {
	menu := NewMenu(uitest.Context(theme.Mono), MenuOptions{Items: []Item{
		{Label: "bookmark"}, {Label: "to back", Words: "clears"}, {Label: "back", Words: "undo previous"}, {Label: "quit"},
	}})
	for typed, want := range map[string][]string{
		"back": {"to back", "back"}, "ba": {"to back", "back", "bookmark"}, "UNDO": {"back"}, "prev ba": {"back"}, "ok": {"to back", "bookmark"},
		"undone": nil, "clear back": {"to back"},
	} {
		for _, r := range typed {
			menu.Update(tea.KeyPressMsg{Code: r, Text: string(r)})
		}
		var got []string
		for menu.Seek("", 0); ; menu.Seek("", menu.Row()+1) {
			item, ok := menu.Chosen()
			if !ok || len(got) > menu.Row() {
				break
			}
			got = append(got, item.Label)
		}
		if !slices.Equal(got, want) {
			t.Errorf("%q finds %q, want %q", typed, got, want)
		}
		for range typed {
			menu.Update(tea.KeyPressMsg{Code: tea.KeyBackspace})
		}
	}
}

// The box ends below what the filter leaves, and its top stays.
func TestMenu_ShrinksWhileOneTypes(t *testing.T) {
	items := []Item{{Label: "a"}, {Label: "ab"}, {Label: "abc"}, {Label: "abcd"}, {Label: "abcde"}}
	s := show(func(c *ui.Context) Dialog { return NewMenu(c, MenuOptions{Items: items}) })
	for _, step := range []struct {
		keys string
		high int
	}{{"", 10}, {"b", 9}, {"c", 8}, {"d", 8}, {"z", 8}, {"ctrl+u", 10}} {
		s.press(step.keys)
		if at := s.Place(); at.Y != 4 || at.H != step.high {
			t.Errorf("after %q it lies at %v, want %d lines from 4", step.keys, at, step.high)
		}
	}
}

// Below the items a line is free, except on a screen that has no room for all.
func TestMenu_LineBelowTheItems(t *testing.T) {
	items := slices.Repeat([]Item{{Label: "item"}}, 6)
	s := show(func(c *ui.Context) Dialog { return NewMenu(c, MenuOptions{Items: items}) })
	for height, free := range map[int]bool{24: true, 13: true, 12: false} {
		s.SetSize(80, height)
		lines := s.View()
		if last := ansi.Strip(lines[len(lines)-2]); strings.Contains(last, "item") == free {
			t.Errorf("on %d lines, the last one in the frame is %q", height, last)
		}
	}
}

// What an item means is cut before its key.
func TestMenu_KeysHaveRoom(t *testing.T) {
	item := Item{Label: "Sort", About: strings.Repeat("what it means ", 20), Right: "ctrl+y"}
	s := show(func(c *ui.Context) Dialog { return NewMenu(c, MenuOptions{Items: []Item{item}}) })
	for width := 40; width < 110; width++ {
		s.SetSize(width, 24)
		if row := ansi.Strip(s.View()[3]); !strings.Contains(row, "..  ctrl+y   |") {
			t.Errorf("in %d cells, got %q", width, row)
		}
	}
}

func TestMenu_Seek(t *testing.T) {
	var chosen string
	m := fruit(&chosen)(uitest.Context(theme.ASCII)).(*Menu)
	for _, c := range []struct {
		id  string
		row int
		on  string
	}{{"pear", 0, "pear"}, {"none", 1, "pineapple"}, {"none", 9, "plum"}, {"none", 0, "apple"}} {
		m.Seek(c.id, c.row)
		if got, _ := m.Chosen(); got.Label != c.on {
			t.Errorf("%q or %d leads to %q, want %q", c.id, c.row, got.Label, c.on)
		}
	}
}

func TestMenu_FurtherActionsMayRefuse(t *testing.T) {
	var chosen string
	s := show(fruit(&chosen)).press("down down ctrl+x")
	if posted := s.Posted(); !slices.Equal(posted, []any{ui.Notify("Pears are for later")}) || !s.IsOpen() {
		t.Errorf("posted is %v, open %v", posted, s.IsOpen())
	}
	if s.press("down ctrl+x"); chosen != "eaten plum" || s.IsOpen() {
		t.Errorf("chosen is %q, open %v", chosen, s.IsOpen())
	}
}

func TestMenu_Mouse(t *testing.T) {
	var chosen string
	s := show(fruit(&chosen))
	s.Send(tea.MouseWheelMsg{X: 40, Y: s.Place().Y + 3, Button: tea.MouseWheelDown})
	s.MustShow(t, "> pineapple")
	s.Send(tea.MouseClickMsg{X: 40, Y: s.lineOf("Fruit")})
	if !s.IsOpen() {
		t.Fatal("a click on the title closes it")
	}
	s.Send(tea.MouseClickMsg{X: 40, Y: s.lineOf("pear ")})
	if chosen != "pear" || s.IsOpen() {
		t.Errorf("chosen is %q, open %v", chosen, s.IsOpen())
	}
	s = show(fruit(&chosen))
	if s.Send(tea.MouseClickMsg{X: 0, Y: 23}); s.IsOpen() {
		t.Error("a click beside it leaves it open")
	}
}

func TestMenu_LongListsScroll(t *testing.T) {
	s := show(func(c *ui.Context) Dialog {
		var items []Item
		for i := range 50 {
			items = append(items, Item{Label: fmt.Sprintf("item %d.", i)})
		}
		return NewMenu(c, MenuOptions{Title: "Many", Items: items})
	})
	for range 30 {
		s.press("down")
	}
	s.MustShow(t, "> item 30.", "item 20.", "18-31 of 50")
	s.press("up pgdown pgdown pgdown").MustShow(t, "> item 49.", "37-50 of 50")
	s.press("4 9").MustShow(t, "> item 49.", "1 of 50")
}

// A function that a dialog calls may open another one, which stays when the first is closed.
func TestStack_ActionOpensADialog(t *testing.T) {
	s := empty()
	var chosen string
	upper := fruit(&chosen)(s.UI)
	s.Open(NewMenu(s.UI, MenuOptions{Title: "Below", Items: []Item{{Label: "more", Do: func() tea.Cmd {
		s.Open(upper)
		return nil
	}}}}))
	if s.press("enter"); s.Top() != upper {
		t.Fatal("the upper dialog is not on top")
	}
	if s.press("esc"); s.IsOpen() {
		t.Error("the lower dialog stayed")
	}
}

func TestStack_EscGoesBackOneLevel(t *testing.T) {
	opened := func(got *string) stage {
		s := empty()
		prompt := func() tea.Cmd {
			s.Open(sums(got)(s.UI))
			return nil
		}
		also := func(Item) (tea.Cmd, string) { return prompt(), "" }
		s.Open(NewMenu(s.UI, MenuOptions{
			Title: "Numbers",
			Items: []Item{{Label: "none"}, {Label: "sum", Do: prompt, Opens: true}},
			Also:  map[string]Action{"ctrl+x": {Do: also, Opens: true}},
		}))
		return s
	}
	for _, keys := range []string{"down enter esc", "down ctrl+x ctrl+g"} {
		var got string
		s := opened(&got).press(keys)
		s.MustShow(t, "Numbers", "> sum..")
		if s.press("esc"); s.IsOpen() {
			t.Errorf("%s: a second esc leaves the menu open", keys)
		}
	}
	var got string
	s := opened(&got).press("down enter")
	s.Send(tea.MouseClickMsg{X: 0, Y: 23})
	s.MustShow(t, "Numbers")
	if s.press("enter end 2 enter"); got != "12" || s.IsOpen() {
		t.Errorf("got %q, and the menu below is open: %v", got, s.IsOpen())
	}
}

// sums asks for the sum of the digits.
func sums(got *string) func(*ui.Context) Dialog {
	return func(c *ui.Context) Dialog {
		return NewPrompt(c, PromptOptions{Label: "Sum", Hint: "a number", Text: "1", Answer: func(text string) (tea.Cmd, string) {
			if strings.Trim(text, "0123456789") != "" {
				return nil, "Not a number"
			}
			*got = text
			return nil, ""
		}})
	}
}

func TestPrompt_RefusedAnswerCanBeCorrected(t *testing.T) {
	var got string
	s := show(sums(&got))
	asked := s.Place()
	s.press("end 2 x enter").MustShow(t, "> 12x", "Not a number")
	if at := s.Place(); at.Y != asked.Y || at.H != asked.H+1 {
		t.Errorf("refused, it lies at %v, before that at %v", at, asked)
	}
	if s.press("backspace enter"); got != "12" || s.IsOpen() {
		t.Errorf("got %q, open %v", got, s.IsOpen())
	}
}

// What is suggested is selected: what is typed or deleted first replaces it, and any other key keeps it.
func TestPrompt_SuggestedTextIsSelected(t *testing.T) {
	for keys, want := range map[string]string{
		"2": "2", "backspace 3": "3", "ctrl+w 4": "4", "end 5": "15", "left 6": "61", "2 3": "23", "": "1",
	} {
		var got string
		if show(sums(&got)).press(strings.TrimSpace(keys + " enter")); got != want {
			t.Errorf("%s makes it %q, not %q", keys, got, want)
		}
	}
	var got string
	s := show(sums(&got))
	s.Send(tea.PasteMsg{Content: "78"})
	if s.press("enter"); got != "78" {
		t.Errorf("pasted is %q", got)
	}
}

func TestMenu_StaysOpenWithoutWhatIsRemoved(t *testing.T) {
	s, gone := empty(), ""
	remove := func(item Item) (tea.Cmd, string) {
		gone += item.ID
		return nil, ""
	}
	s.Open(NewMenu(s.UI, MenuOptions{
		Title: "Numbers", Items: []Item{{Label: "add", Extra: true}, {ID: "1", Label: "one"}, {ID: "2", Label: "two"}},
		Also: map[string]Action{"ctrl+x": {Do: remove, Removes: true}},
	}))
	s.press("down ctrl+x").MustShow(t, "Numbers", "two")
	if s.press("ctrl+x"); gone != "12" || s.IsOpen() {
		t.Errorf("removed are %s, the menu is open: %v", gone, s.IsOpen())
	}
}

func TestPrompt_Editing(t *testing.T) {
	var got string
	s := show(sums(&got)).press("ctrl+u")
	s.MustShow(t, "> a number")
	s.Paste("4\n5\t\x1b[31m")
	s.MustShow(t, "> 4 5 ")
	for _, line := range s.View() {
		if strings.Contains(line, "\x1b[31m") {
			t.Errorf("an escape sequence was pasted: %q", line)
		}
	}
	if cmd := s.Update(uitest.Key("ctrl+v")); cmd != nil {
		t.Error("ctrl+v reads the clipboard of the host")
	}
}

func TestInput_CursorCountsCells(t *testing.T) {
	c := uitest.Context(theme.ASCII)
	for _, step := range []struct {
		text         string
		left         int
		width        int
		at           int
		shown, never string
	}{
		{"", 0, 20, 2, "type", "no"},
		{"abc", 0, 20, 5, "abc", "type"},
		{"東京の", 0, 20, 8, "東京の", "type"},
		{"東京の", 1, 20, 6, "東京の", "type"},
		{strings.Repeat("x", 40) + "end", 0, 20, 18, "end", strings.Repeat("x", 18)},
	} {
		i := newInput(c, step.text)
		for range step.left {
			i.edit(uitest.Key("left"))
		}
		line := ansi.Strip(i.view(step.width, "type", c.Theme))
		if at, _ := i.column(step.width); at != step.at || !strings.Contains(line, step.shown) || strings.Contains(line, step.never) {
			t.Errorf("%q: the cursor is at %d of %q", step.text, at, line)
		}
		if ansi.StringWidth(line) != step.width {
			t.Errorf("%q: %d cells", line, ansi.StringWidth(line))
		}
	}
}

// shelf has folders by name.
type shelf map[string][]Entry

func (s shelf) Entries(_ context.Context, folder string) (string, []Entry, error) {
	in := folder
	if in == "" {
		in = "/down"
	}
	entries, ok := s[strings.TrimSuffix(in, "/")]
	if !ok {
		return in, nil, errors.New("no such folder")
	}
	return in, entries, nil
}

func picking(got *string, newFile bool) func(*ui.Context) Dialog {
	files := shelf{
		"/down":     {{Name: "old", Folder: true}, {Name: "export.zip", Size: 2500}, {Name: ".hidden", Size: 1}, {Name: "\x1b]0;evil\x07", Size: 3e9}},
		"/down/old": {{Name: "chats.json", Size: 4e6}},
		".":         {{Name: "notes", Folder: true}, {Name: "a.md"}},
	}
	return func(c *ui.Context) Dialog {
		return NewPicker(c, files, PickerOptions{
			PromptOptions: PromptOptions{Label: "Import", Hint: "a path", Answer: func(path string) (tea.Cmd, string) {
				if path == "" {
					return nil, "Enter a path"
				}
				*got = path
				return nil, ""
			}},
			NewFile: newFile, Remark: "md, csv",
		})
	}
}

func TestPicker_GoesThroughFolders(t *testing.T) {
	var got string
	s := show(picking(&got, false))
	s.Run(s.Requests())
	s.MustShow(t, "> a path", "/down", "old/", "folder", "export.zip", "2.5 kB", "3.0 GB")
	if strings.Contains(s.Text(), "hidden") || strings.Contains(s.Text(), "\x07") {
		t.Errorf("hidden files and control characters:\n%s", s.Text())
	}
	s.press("enter").MustShow(t, "Enter a path")
	s.press("down enter").MustShow(t, "> /down/old/", "chats.json")
	if s.press("c down enter"); got != "/down/old/chats.json" || s.IsOpen() {
		t.Errorf("got %q, open %v", got, s.IsOpen())
	}
}

func TestPicker_PastedNameNarrows(t *testing.T) {
	var got string
	s := show(picking(&got, false)).press("/ d o w n /")
	s.Paste("ex")
	if s.MustShow(t, "export.zip"); strings.Contains(s.Text(), "old/") {
		t.Errorf("other names are listed:\n%s", s.Text())
	}
}

func TestPicker_NewFile(t *testing.T) {
	var got string
	s := show(picking(&got, true)).press("x")
	s.MustShow(t, "md, csv", "notes/")
	if strings.Contains(s.Text(), "a.md") {
		t.Error("a file is listed")
	}
	s.press("down enter").MustShow(t, "> notes/x", "Can't read this folder")
	if s.press("enter"); got != "notes/x" {
		t.Errorf("got %q", got)
	}
}

func TestPicker_LateEntriesAreDropped(t *testing.T) {
	var got string
	s := show(picking(&got, false))
	late := s.Requests()
	s.press("/ d o w n / o l d /").MustShow(t, "chats.json")
	s.Run(late)
	s.MustShow(t, "chats.json")
}

func paged(n *int) func(*ui.Context) Dialog {
	return func(c *ui.Context) Dialog {
		return NewPager(c, "Help", func(int) (lines []string) {
			for i := range *n {
				lines = append(lines, fmt.Sprintf("line %d.", i))
			}
			return lines
		})
	}
}

func TestPager_Scrolls(t *testing.T) {
	n := 50
	s := show(paged(&n))
	s.MustShow(t, "Help", "j/k scroll", "line 0.")
	for keys, first := range map[string]string{"j j j k": "line 2.", "space": "line 12.", "space b j": "line 1.", "G": "line 30.", "G g": "line 0."} {
		s := show(paged(&n)).press(keys)
		if lines := strings.Split(s.Text(), "\n"); strings.TrimSpace(lines[pagerHead]) != first {
			t.Errorf("%s shows %q first, not %s", keys, lines[pagerHead], first)
		}
	}
	s.Send(tea.MouseWheelMsg{Button: tea.MouseWheelDown})
	s.MustShow(t, "line 3.")
	n = 2
	s.MustShow(t, "any key closes", "line 0.", "line 1.")
	if s.press("q"); s.IsOpen() {
		t.Error("q leaves it open")
	}
}

func TestPager_PassesAPasteOn(t *testing.T) {
	n := 3
	s := show(paged(&n))
	s.Paste("lentils")
	if posted := s.Posted(); !slices.Equal(posted, []any{Pasted("lentils")}) || s.IsOpen() {
		t.Errorf("posted is %v, open %v", posted, s.IsOpen())
	}
}

// Every dialog fills its place on any screen.
func TestDialogs_FillTheirPlace(t *testing.T) {
	var got string
	n := 30
	for name, of := range map[string]func(*ui.Context) Dialog{
		"menu": fruit(&got), "prompt": sums(&got), "picker": picking(&got, false), "pager": paged(&n),
	} {
		for _, size := range [][2]int{{40, 8}, {59, 14}, {80, 24}, {200, 60}} {
			s := show(of)
			s.SetSize(size[0], size[1])
			if _, _, typed := s.Cursor(); typed {
				s.press("東 京")
			}
			at := s.Place()
			if at.X < 0 || at.Y < 0 || at.X+at.W > size[0] || at.Y+at.H > size[1] {
				t.Errorf("%s: it lies at %v on %v", name, at, size)
			}
			uitest.MustFill(t, s.View(), at.W, at.H)
		}
	}
}

// A title is drawn only with a key below it.
func TestKeys_NoBareTitle(t *testing.T) {
	section := func(title string, n int) Section {
		return Section{title, slices.Repeat([]KeyRow{{Label: "x", Does: "something that a key does"}}, n)}
	}
	of := func(c *ui.Context) Dialog {
		return NewKeys(c, "Keys", []Section{section("Here", 5), section("Everywhere", 9)}, []Section{
			section("Here", 1), section("Everywhere", 7), section("There", 3), section("Signs", 1),
		})
	}
	titles := regexp.MustCompile(`Here|Everywhere|There|Signs|more`)
	for height := 9; height < 40; height += 2 {
		for _, width := range []int{40, 80} {
			s := show(of)
			s.SetSize(width, height)
			for range 60 {
				page := strings.Split(s.Text(), "\n")
				page = page[:len(page)-1]
				for y, line := range page {
					for _, at := range titles.FindAllStringIndex(line, -1) {
						below := strings.Join(page[y+1:], "\n")
						if strings.Contains(line, "more") && strings.Contains(below, "something") {
							continue
						}
						if y+2 >= len(page) || !strings.Contains(page[y+2][at[0]:], "something") {
							t.Fatalf("at %d×%d, %q is bare:\n%s", width, height, line[at[0]:at[1]], s.Text())
						}
					}
				}
				s.press("down")
			}
			if s.MustShow(t, "Signs"); strings.Contains(s.Text(), "more below") {
				t.Errorf("at %d×%d, more is said to be below the end:\n%s", height, width, s.Text())
			}
		}
	}
}

func TestKeys_PlaceHoldsAllMainKeys(t *testing.T) {
	s := show(func(c *ui.Context) Dialog {
		return NewKeys(c, "Keys", []Section{
			{"Here", []KeyRow{{Label: "pgdown/pgup", Does: "previous/next filled bar"}, {Label: "g", Does: "last of them"}}},
			{"Everywhere", []KeyRow{{Label: "/", Does: "search"}}},
		}, []Section{{"Others", []KeyRow{{Label: "x", Does: "something else"}}}})
	})
	for _, width := range []int{90, 120} {
		s.SetSize(width, 24)
		s.MustShow(t, "  Here                                   Everywhere",
			"  pgdown/pgup  previous/next filled bar  /  search", "            g  last of them", "- more below -")
		if at := s.Place(); at.W != 82 || at.H != 9 {
			t.Errorf("on %d columns it lies at %v", width, at)
		}
	}
}

// A column that is shorter takes the next keys of its own, and then whole sections.
func TestKeys_FillsTheShorterColumn(t *testing.T) {
	rows := func(n int, does string) []KeyRow { return slices.Repeat([]KeyRow{{Label: "x", Does: does}}, n) }
	main := []Section{{"Here", rows(9, "here")}, {"Everywhere", rows(2, "main")}}
	for name, c := range map[string]struct {
		more        []Section
		last, below string
	}{
		"the rest of its own": {[]Section{{"Everywhere", rows(9, "rest")}}, "x  rest", "Everywhere"},
		"whole sections":      {[]Section{{"There", rows(9, "there")}, {"Signs", rows(4, "sign")}}, "x  sign", "There"},
	} {
		s := show(func(ui *ui.Context) Dialog { return NewKeys(ui, "Keys", main, c.more) })
		s.SetSize(80, 20)
		page := strings.Split(s.Text(), "\n")
		if last := page[len(page)-3]; !strings.Contains(last, c.last) || !strings.Contains(last, "x  here") {
			t.Errorf("%s: the columns end with %q:\n%s", name, last, s.Text())
		}
		s.MustShow(t, "more below")
		for range 20 {
			s.press("down")
		}
		s.MustShow(t, c.below)
	}
}

// Groups beside each other start on the same line. Where they make the list high, the last ones are below the fold.
func TestKeys_GroupsAreBesideEachOther(t *testing.T) {
	groups := func(does string, sizes ...int) Section {
		s := Section{Title: does}
		for i, n := range sizes {
			s.Rows = append(s.Rows, KeyRow{Label: "x", Does: fmt.Sprint(does, " ", i+1), Apart: true})
			s.Rows = append(s.Rows, slices.Repeat([]KeyRow{{Label: "x", Does: "more"}}, n-1)...)
		}
		return s
	}
	s := show(func(c *ui.Context) Dialog {
		return NewKeys(c, "Keys", []Section{groups("left", 5, 8, 3), groups("right", 4, 6)}, []Section{groups("right", 9)})
	})
	for height, want := range map[int]int{60: 25, 40: 21, 30: 21, 24: 22} { // on 24 lines, without groups
		s.SetSize(120, height)
		at := s.Place()
		if at.H != want {
			t.Errorf("on %d lines it lies at %v:\n%s", height, at, s.Text())
		}
		for group, line := range map[int]int{1: 5, 2: 11} {
			left, right := s.lineOf(fmt.Sprint("left ", group))-at.Y, s.lineOf(fmt.Sprint("right ", group))-at.Y
			if height > 24 && (left != line || right != line) {
				t.Errorf("on %d lines, group %d starts on lines %d and %d:\n%s", height, group, left, right, s.Text())
			}
		}
	}
}

func TestKeys_GroupsWhereAllMainKeysFit(t *testing.T) {
	s := show(func(c *ui.Context) Dialog {
		return NewKeys(c, "Keys", []Section{{"Chart", []KeyRow{
			{Label: "h", Does: "left"}, {Label: "l", Does: "right"}, {Label: "v", Does: "brush", Apart: true},
		}}}, nil)
	})
	for height, apart := range map[int]int{13: 2, 12: 1} {
		s.SetSize(80, height)
		if got := s.lineOf("v  brush") - s.lineOf("l  right"); got != apart {
			t.Errorf("on %d lines, the groups are %d lines apart:\n%s", height, got, s.Text())
		}
	}
	s.SetSize(80, 24)
	whole := s.Place()
	s.press("b r u s h")
	if at := s.Place(); at.Y != whole.Y || at.H != 8 {
		t.Errorf("filtered, it lies at %v:\n%s", at, s.Text())
	}
}
