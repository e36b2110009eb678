package results_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/charmbracelet/colorprofile"
	"github.com/charmbracelet/x/ansi"
	"github.com/google/uuid"
	"pgregory.net/rapid"

	"lens/retrieval"
	"lens/tui/results"
	"lens/tui/theme"
	"lens/tui/ui"
	"lens/tui/ui/uitest"
)

func TestList_DrawsVisibleRows(t *testing.T) {
	l := newLister(60, 4)
	l.Show(found(matches(10)))
	l.Scroll(4)
	got := l.rows()
	want := []string{
		"  ○ title 2  snippet 世界 2                  ━━━ 14 May 2024",
		"  ○ title 3  snippet 世界 3                  ━━━ 14 May 2024",
		"▌ ○ title 4  snippet 世界 4                  ━━╸ 14 May 2024",
	}
	if !slices.Equal(got, want) {
		t.Errorf("got\n%s", strings.Join(got, "\n"))
	}
	if l.Scroll(-1); l.rows()[0] != got[0] {
		t.Error("the rows scroll though the cursor is among them")
	}
	l.SetSize(51, 2)
	if got := l.rows(); got[0] != "▌ ○ title 3  snippet 世界 3            14 May 2024" {
		t.Errorf("without room for the score, the row is %q", got[0])
	}
	l = newLister(60, 3)
	undated := matches(2)
	undated[1].Time = nil
	l.Show(listed(undated))
	want = []string{
		"▌   title 0  snippet 世界 0                14 May 2024 12:00",
		"    title 1  snippet 世界 1                undated",
	}
	if got := l.rows(); !slices.Equal(got, want) {
		t.Errorf("without a query, the rows are %q", got)
	}
	l.SetSize(51, 2)
	if got := l.rows(); got[0] != "▌   title 0  snippet 世界 0            14 May 2024" {
		t.Errorf("without room for the time of day, the row is %q", got[0])
	}
}

func TestList_TallRowsShowTitleAndSnippet(t *testing.T) {
	l := newLister(40, 6)
	l.SetTall(true)
	l.Show(found(matches(5)))
	got := strings.Join(l.rows(), "\n")
	want := `▌ ○ title 0              ━━━ 14 May 2024
▌   You  snippet 世界 0
  ○ title 1              ━━━ 14 May 2024
    You  snippet 世界 1`
	if got != want {
		t.Errorf("got\n%s", got)
	}
	uitest.MustFill(t, l.View(), 41, 6)
}

func TestList_OtherRowsMoveAroundTheCursor(t *testing.T) {
	l := newLister(60, 5)
	few := found(matches(40)[10:20])
	l.Show(few)
	l.Scroll(5)
	before := l.snippets()
	l.Scroll(-1)
	l.Show(found(matches(40)))
	if got := l.snippets(); got[0] != before[0] || got[2] != "14" || !strings.HasPrefix(l.rows()[2], "▌ ○ title 14") {
		t.Errorf("the rows were\n%s\nand are\n%s", strings.Join(before, "\n"), strings.Join(got, "\n"))
	}
	l = newLister(60, 13)
	l.Show(few)
	l.Show(found(matches(12))) // better matches, which the first row must not hide
	if got := l.rows(); !strings.HasPrefix(got[0], "  ○ title 0") || !strings.HasPrefix(got[10], "▌ ○ title 10") {
		t.Errorf("the rows are\n%s", strings.Join(got, "\n"))
	}
}

func TestList_CursorStaysOnItsTurn(t *testing.T) {
	l := newLister(60, 5)
	l.Show(found(matches(10)))
	l.Scroll(4)
	l.mustTell(t, results.TurnSelected{ID: id(0)}, results.TurnSelected{ID: id(4)})
	l.Show(found(matches(10)[3:]))
	if row, ok := l.Cursor(); !ok || row.ID != id(4) || l.Selected() != id(4) {
		t.Errorf("the cursor is on %v", row.Snippet)
	}
	l.mustTell(t)
	l.Show(found(matches(10)[6:]))
	if l.Selected() != id(6) {
		t.Errorf("its match is gone and the cursor is on %d", l.cursor())
	}
	l.mustTell(t, results.TurnSelected{ID: id(6)})
	l.Show(found(nil))
	if _, ok := l.Cursor(); ok || l.Selected() != uuid.Nil || l.Len() != 0 {
		t.Error("there is a match under the cursor")
	}
	l.mustTell(t, results.TurnSelected{})
}

func TestList_AnotherQueryStartsAtItsBestMatch(t *testing.T) {
	l := newLister(60, 5)
	l.Show(found(matches(10)))
	l.Scroll(7)
	other := found(matches(10))
	other.Query = "other words"
	if l.Show(other); l.cursor() != 0 || !strings.HasPrefix(l.rows()[0], "▌ ○ title 0") {
		t.Errorf("the cursor is on match %d:\n%s", l.cursor(), l.Text())
	}
	l.mustTell(t, results.TurnSelected{ID: id(0)}, results.TurnSelected{ID: id(7)}, results.TurnSelected{ID: id(0)})
}

func TestList_OnlyWhatIsInView(t *testing.T) {
	all := matches(6)
	for i := range all[:5] {
		all[i].Time = day(10 + i)
	}
	all[5].Time = nil
	f := found(all)
	l := newLister(60, 10)
	if l.Show(f); l.Len() != 6 {
		t.Errorf("of the whole archive, %d are listed", l.Len())
	}
	f.All, f.View = false, may(11, 13)
	l.Show(f)
	if got := l.snippets(); !slices.Equal(got, []string{"1", "2"}) || l.Rows()[0].Rank != 2 {
		t.Errorf("of two days, %v are listed", got)
	}
}

func TestList_TimesAreInTheZone(t *testing.T) {
	l := newLister(60, 3)
	f := listed(matches(1))
	l.Show(f)
	l.UI.Zone = time.FixedZone("XYZ", 14*3600)
	if l.Show(f); !strings.HasSuffix(l.rows()[0], "15 May 2024 02:00") {
		t.Errorf("got %q", l.rows()[0])
	}
}

func TestList_TextsOfARow(t *testing.T) {
	all := matches(3)
	all[0].Title, all[0].UserSnippet, all[0].AssistantSnippet, all[0].Source = "", "", "an answer", "chatgpt"
	all[1].UserSnippet, all[1].AssistantSnippet, all[1].Chunk = "its heading", "its text", &retrieval.Chunk{}
	all[2].AssistantSnippet, all[2].Chunk = "", &retrieval.Chunk{}
	l := newLister(60, 9)
	l.SetTall(true)
	l.Show(found(all))
	for i, want := range []string{"an answer", "its text", "snippet 世界 2"} {
		if got := l.Rows()[i].Snippet; got != want {
			t.Errorf("row %d shows %q, want %q", i, got, want)
		}
	}
	l.MustShow(t, "▌ ○ untitled ", "▌   ChatGPT  an answer", "    its text", "    snippet 世界 2")
}

func TestList_PassageWithoutMarks(t *testing.T) {
	for passage, want := range map[string]string{
		"…- Iron matters":                         "…Iron matters",
		"## How it ends":                          "How it ends",
		"> said - or not":                         "said - or not",
		"-5 degrees, C# and #":                    "-5 degrees, C# and #",
		"I did *not* wait":                        "I did not wait",
		"**both** *a* *b* `go f`":                 "both a b go f",
		"Reply to it: - Match one. - Two - three": "Reply to it: Match one. Two - three",
		"Shorter: > Good morning. ## Why":         "Shorter: Good morning. Why",
		"run it: ```rust let x = 1; ``` - done":   "run it: let x = 1; done",
		"a | b |---|:-:| 1 | 2":                   "a | b 1 | 2",
		"2*3*4 and a * b * c":                     "2*3*4 and a * b * c",
		"*p = *q; f(**r)":                         "*p = *q; f(**r)",
	} {
		all := matches(1)
		all[0].UserSnippet, all[0].Worded = passage, true
		f := found(all)
		f.Peek.Words = retrieval.NewWords("wait")
		l := newLister(60, 2)
		l.Show(f)
		row := l.Rows()[0]
		if row.Snippet != want {
			t.Errorf("%q is shown as %q", passage, row.Snippet)
		}
		if len(row.Hits) > 0 && row.Hits[0] != [2]int{10, 14} {
			t.Errorf("marked are %v of %q", row.Hits, row.Snippet)
		}
	}
}

func TestList_HitsAreUnderlined(t *testing.T) {
	l := newLister(60, 2)
	all := matches(1)
	all[0].UserSnippet, all[0].Worded = "to cancel it", true
	f := found(all)
	f.Peek.Words = retrieval.NewWords("canceled") // in any form
	l.Show(f)
	if line := l.View()[1]; !strings.Contains(line, "to \x1b[4") {
		t.Errorf("got %q", line)
	}
	f.Stale = true
	l.Show(f)
	if line := l.View()[1]; strings.Contains(line, "\x1b[4") || !strings.Contains(line, "\x1b[2m") {
		t.Errorf("stale: %q", line)
	}
}

// The list is read by its titles: what is below them is quieter, except under the cursor.
func TestList_PassageIsQuieterThanItsTitle(t *testing.T) {
	l := newLister(60, 9)
	l.SetTall(true)
	l.Show(found(matches(2)))
	lines := l.View()
	if read, other := lines[2], lines[4]; strings.Contains(read, "\x1b[2msnippet") || !strings.Contains(other, "\x1b[2msnippet") {
		t.Errorf("under the cursor %q, else %q", read, other)
	}
}

// Without color, who asked is bold: else the name runs into the passage.
func TestList_SpeakerIsApartFromThePassage(t *testing.T) {
	for name, loud := range map[theme.Name]bool{theme.Mono: true, theme.Dark: false} {
		l := newLister(60, 9)
		l.UI.Theme = theme.New(name, colorprofile.TrueColor)
		l.SetTall(true)
		l.Show(found(matches(2)))
		for _, line := range []string{l.View()[2], l.View()[4]} {
			before, _, there := strings.Cut(line, "You  ")
			if before = before[strings.LastIndex(before, "\x1b"):]; !there || (before == "\x1b[1m") != loud {
				t.Errorf("%s: got %q", name, line)
			}
		}
	}
}

func TestList_PassageWithTheHit(t *testing.T) {
	all := matches(1)
	all[0].UserSnippet, all[0].Worded = "Okay. I need a 世界 better title for a talk about the sourdough of my grandmother", true
	f := found(all)
	f.Peek.Words = retrieval.NewWords("sourdough")
	for width, want := range map[int]string{
		100: "You  Okay. I need a 世界 better title for a talk about the sourdough of my grandmother",
		60:  "You  …for a talk about the sourdough of my grandmother",
		40:  "You  …about the sourdough of my gra…",
		24:  "You  …the sourdough…",
	} {
		l := newLister(width, 12)
		l.SetTall(true)
		l.Show(f)
		line := l.View()[2]
		if got := strings.Trim(ansi.Strip(line), "▌ "); got != want {
			t.Errorf("%d cells: got %q, want %q", width, got, want)
		}
		if got := strings.Count(line, "\x1b[4m") + strings.Count(line, ";4m"); got != len("sourdough") {
			t.Errorf("%d cells: %d letters are marked in %q", width, got, line)
		}
	}
}

func TestList_SignOfWords(t *testing.T) {
	all := matches(3)
	all[0].Worded = true
	all[1].UserSnippet = "the Rat of a town" // in another language than the word
	all[2].Title = "Rats"
	f := found(all)
	f.Peek.Words = retrieval.NewWords("rats")
	l := newLister(60, 4)
	l.Show(f)
	l.MustShow(t, "▌ ● title 0", "  ○ title 1", "  ● Rats")
	if hits := l.Rows()[1].Hits; len(hits) > 0 {
		t.Errorf("of what has no word, %v are marked", hits)
	}
}

func TestSeek_WaitsForTheMatch(t *testing.T) {
	l := newLister(60, 5)
	few := found(matches(10)[:5])
	few.Final = false
	l.Show(few)
	l.Posted()
	l.Seek(id(7), uuid.Nil)
	l.Show(few)
	if match, turn := l.Pending(); match != id(7) || turn != id(7) || l.cursor() != 0 {
		t.Errorf("before it arrives, the cursor is on %d, pending are %v and %v", l.cursor(), match, turn)
	}
	l.mustTell(t)
	l.Show(found(matches(10)))
	if match, turn := l.Pending(); match != uuid.Nil || turn != uuid.Nil || l.cursor() != 7 {
		t.Errorf("the cursor is on %d, still pending are %v and %v", l.cursor(), match, turn)
	}
	if entries := l.Posted(); entries[len(entries)-1] != (results.TurnSelected{ID: id(7)}) {
		t.Errorf("entries is %v", entries)
	}
	l.Seek(id(2), id(99)) // a turn that the match led to
	l.Show(found(matches(10)))
	l.mustTell(t, results.TurnSelected{ID: id(2)}, results.TurnSelected{ID: id(99)})
	l.Show(found(matches(10)))
	l.mustTell(t)
}

func TestSeek_GivenUpOnceTheResultIsFinal(t *testing.T) {
	for name, c := range map[string]struct{ current, final, given bool }{
		"of an older query": {false, true, false},
		"partial":           {true, false, false},
		"final":             {true, true, true},
	} {
		l := newLister(60, 5)
		f := found(matches(5))
		f.Current, f.Final = c.current, c.final
		l.Seek(id(99), uuid.Nil)
		l.Show(f)
		if match, turn := l.Pending(); (match == uuid.Nil) != c.given || (turn == uuid.Nil) != c.given || l.cursor() != 0 {
			t.Errorf("%s: pending are %v and %v, the cursor is on %d", name, match, turn, l.cursor())
		}
		if c.given { // the turn is read nevertheless
			l.mustTell(t, results.TurnSelected{ID: id(0)}, results.TurnSelected{ID: id(99)})
		}
	}
}

func TestSeek_EndsWhenTheCursorIsMoved(t *testing.T) {
	for name, move := range map[string]func(lister){
		"scroll": func(l lister) { l.Scroll(1) },
		"key":    func(l lister) { l.Do(t, "down") },
		"mark":   func(l lister) { l.Do(t, "mark") },
		"click":  func(l lister) { l.Click(0, 2) },
	} {
		l := newLister(60, 5)
		few := found(matches(5))
		few.Final = false
		l.Show(few)
		l.Seek(id(7), uuid.Nil)
		move(l)
		l.Show(found(matches(10)))
		if l.cursor() != 1 {
			t.Errorf("%s: the cursor goes to %d", name, l.cursor())
		}
	}
}

func TestSeek_NothingReadsTheMatchUnderTheCursor(t *testing.T) {
	l := newLister(60, 5)
	l.Show(found(matches(5)))
	l.Scroll(2)
	l.Posted()
	l.Seek(uuid.Nil, uuid.Nil)
	l.mustTell(t, results.TurnSelected{ID: id(2)})
	l.Seek(uuid.Nil, id(99))
	l.Show(found(matches(5)))
	l.mustTell(t, results.TurnSelected{ID: id(99)})
}

func TestMark_StaysWithItsTurn(t *testing.T) {
	l := newLister(60, 6)
	f := found(matches(10))
	l.Show(f)
	l.Do(t, "mark", "down", "mark")
	if l.Show(f); l.cursor() != 3 {
		t.Errorf("marking leads to match %d", l.cursor())
	}
	l.MustShow(t, "  10, best first, 2 marked", "✓○ title 0", "✓○ title 2", "  ○ title 1")
	if marked := l.Marked(); len(marked) != 2 || !slices.Contains(marked, id(0)) || !slices.Contains(marked, id(2)) {
		t.Errorf("marked are %v", marked)
	}
	l.Show(found(matches(10)[2:]))
	l.MustShow(t, "✓○ title 2", "2 marked")
	l.Scroll(-99)
	l.Do(t, "mark")
	l.Show(f)
	l.MustShow(t, "✓○ title 0", "  ○ title 2", "1 marked")
	other := newLister(60, 6)
	other.Show(found(nil))
	other.Posted()
	if posted := other.Do(t, "mark").Posted(); !slices.Equal(posted, []any{ui.Notify("No match selected")}) {
		t.Errorf("without a row, posted is %v", posted)
	}
}

func TestSort_OfAnotherSearchIsByScore(t *testing.T) {
	for _, c := range []struct {
		query, ranked         string
		typing, stale, byDate bool
	}{
		{query: "tomatoes", ranked: "tomatoes"},
		{query: "lentils source:claude", ranked: "lentils", byDate: true}, // a filter leaves the question
		{query: "lentils s", ranked: "lentils s", typing: true, byDate: true},
		{query: "lentils s", ranked: "lentils s", stale: true, byDate: true}, // that of the whole filter is not there yet
		{},
	} {
		l := newLister(60, 10)
		l.SetSorting(results.Sorting{ByDate: true, Oldest: true}) // as a session restores it
		first := found(matches(3))
		first.Query, first.Ranked = "lentils", "lentils"
		if l.Show(first); !l.Sorting().ByDate {
			t.Fatal("a restored order is lost")
		}
		other := first
		other.Query, other.Ranked, other.Missing.Typing, other.Stale = c.query, c.ranked, c.typing, c.stale
		if l.Show(other); l.Sorting() != (results.Sorting{ByDate: c.byDate, Oldest: true}) {
			t.Errorf("of %q, sorted is %v", c.query, l.Sorting())
		}
	}
}

func TestSort_ByDate(t *testing.T) {
	all := matches(6)
	for i, d := range []int{12, 14, 0, 13, 14, 11} {
		if all[i].Time = nil; d > 0 {
			all[i].Time = day(d)
		}
	}
	all[5].Time = new(time.Date(1965, 5, 11, 12, 0, 0, 0, time.UTC))
	l := newLister(60, 10)
	sorted := func(f results.Found, order string) {
		t.Helper()
		l.Show(f)
		if got := strings.Join(l.snippets(), " "); got != order {
			t.Errorf("the rows are %s, want %s", got, order)
		}
	}
	ranked := found(all)
	sorted(ranked, "0 1 2 3 4 5")
	l.Scroll(3)
	l.Do(t, "sort")
	sorted(ranked, "1 4 3 0 5 2")
	l.MustShow(t, "  6, newest first", "▌ ○ title 1", "14 May 2024")
	l.Do(t, "sort")
	sorted(ranked, "5 0 3 1 4 2")
	l.MustShow(t, "  6, oldest first", "▌ ○ title 5", "11 May 1965")
	l.Do(t, "sort")
	sorted(ranked, "0 1 2 3 4 5")
	if l.Sorting() != (results.Sorting{}) {
		t.Errorf("sorted is %v", l.Sorting())
	}
	newest := listed(all)
	sorted(newest, "1 4 3 0 5 2")
	l.MustShow(t, "▸ Turns ", "  newest first")
	l.Show(newest)
	if l.Do(t, "sort"); l.Sorting() != (results.Sorting{Oldest: true}) {
		t.Errorf("without a query, sorted is %v", l.Sorting())
	}
	oldest := listed(all)
	oldest.Oldest = true
	sorted(oldest, "5 0 3 1 4 2")
	l.MustShow(t, "▸ Turns ", "  oldest first")
	l.Do(t, "sort")
	sorted(oldest, "5 0 3 1 4 2") // until the newest are listed
	l.MustShow(t, "▸ Turns ", "  oldest first")
}

// In one line, a title is whole where half of the room is enough, and no two ellipses meet.
func TestList_TitleBesideAPassage(t *testing.T) {
	for title, want := range map[string]string{
		"Error handling with sqlx":                    "Error handling with sqlx  …context, not",
		"Error handling with sqlx and with many more": "Error handling with sq…  context, not",
	} {
		l, all := newLister(80, 5), matches(1)
		all[0].Title, all[0].UserSnippet = title, "…context, not the word"
		l.Show(found(all))
		l.MustShow(t, want)
	}
}

func TestClick_SecondOneReads(t *testing.T) {
	for _, tall := range []bool{false, true} {
		l := newLister(60, 9)
		l.SetTall(tall)
		l.SetFocused(false)
		l.Show(found(matches(10)))
		l.Posted()
		third := 3
		if tall {
			third = 6 // the second line of the third row
		}
		l.Click(0, 1)
		l.mustTell(t) // it was there, but the list did not have the focus
		l.SetFocused(true)
		l.Click(0, third)
		l.mustTell(t, results.TurnSelected{ID: id(2)})
		l.Click(0, third)
		l.mustTell(t, results.TurnSelected{ID: id(2), Focus: true})
		l.Click(0, 0)
		l.Click(0, -1)
		l.Click(0, 99)
		if l.mustTell(t); l.cursor() != 2 {
			t.Errorf("a click beside the rows leads to %d", l.cursor())
		}
	}
	l := newLister(60, 10)
	f := found(matches(10))
	f.Peek.Titles = []retrieval.TitleMatch{{Title: "Cancel culture"}}
	l.Show(f)
	if l.Click(0, 5); l.cursor() != 2 {
		t.Errorf("below the line of titles, a click leads to %d", l.cursor())
	}
}

func TestCommands_OfTheCursor(t *testing.T) {
	l := newLister(60, 11)
	l.Show(found(matches(40)))
	for _, c := range []struct {
		command string
		want    int
	}{
		{"down", 1},
		{"page-down", 6},
		{"up", 5},
		{"last", 39},
		{"down", 39},
		{"page-up", 34},
		{"first", 0},
		{"up", 0},
	} {
		if l.Do(t, c.command); l.cursor() != c.want {
			t.Errorf("%s leads to match %d, want %d", c.command, l.cursor(), c.want)
		}
	}
	l.SetTall(true)
	if l.Do(t, "page-down"); l.cursor() != 2 {
		t.Errorf("of five rows, half a page are %d", l.cursor())
	}
	l.Posted()
	if got := l.Do(t, "look-into", "more-like-this", "filters").Posted(); !slices.Equal(got, []any{
		results.TurnSelected{ID: id(2), Focus: true}, ui.SeekAlike{ID: id(2)}, results.EditFilters{},
	}) {
		t.Errorf("posted is %v", got)
	}
	l = newLister(60, 11)
	l.Show(found(nil))
	l.Posted()
	if got := l.Do(t, "look-into", "more-like-this", "down").Posted(); !slices.Equal(got, []any{
		ui.Notify("No match selected"), ui.Notify("No turn selected"),
	}) {
		t.Errorf("without a row, posted is %v", got)
	}
}

// After any operations the list fills its rectangle, and the match under the cursor is visible and to be read.
func TestList_CursorIsVisible(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		l := newLister(60, 10)
		var read uuid.UUID
		pending := map[uuid.UUID]bool{} // is read even if it is not found
		l.Hear = func(msg any) {
			if m, ok := msg.(results.TurnSelected); ok {
				read = m.ID
			}
		}
		width, height := 61, 10
		t.Repeat(map[string]func(*rapid.T){
			"show": func(t *rapid.T) {
				f := found(paired(rapid.IntRange(0, 40).Draw(t, "n")))
				f.Peek.Words = retrieval.NewWords("word")
				for i := range rapid.IntRange(0, len(f.Peek.Matches)).Draw(t, "worded") {
					f.Peek.Matches[i].Worded = true
				}
				if f.Query = rapid.SampledFrom([]string{"one", "two", ""}).Draw(t, "query"); f.Query == "" {
					f.Searched, f.Missing.Searching = false, false
					f.Oldest = rapid.Bool().Draw(t, "oldest")
					f.Fullest = []retrieval.ConversationCount{{Title: "Kitchen", Turns: 3}}
				}
				l.Show(f)
			},
			"scroll": func(t *rapid.T) { l.Scroll(rapid.IntRange(-50, 50).Draw(t, "by")) },
			"click":  func(t *rapid.T) { l.Click(0, rapid.IntRange(-1, 20).Draw(t, "line")) },
			"seek": func(t *rapid.T) {
				match := id(rapid.IntRange(0, 50).Draw(t, "match"))
				pending[match] = true
				l.Seek(match, uuid.Nil)
			},
			"size": func(t *rapid.T) {
				width, height = rapid.IntRange(1, 80).Draw(t, "width"), rapid.IntRange(3, 20).Draw(t, "height")
				l.SetSize(width, height)
			},
			"fold": func(t *rapid.T) { press(l.List, "unfold") },
			"tall": func(t *rapid.T) { l.SetTall(rapid.Bool().Draw(t, "tall")) },
			"sort": func(*rapid.T) { l.SetSorting(results.Sorting{ByDate: !l.Sorting().ByDate}) },
			"": func(t *rapid.T) {
				lines, pointers := l.View(), 0
				for _, line := range lines {
					if theme.Width(line) != width {
						t.Fatalf("a line of %d cells on %d: %q", theme.Width(line), width, line)
					}
					if strings.HasPrefix(ansi.Strip(line), "▌") {
						pointers++
					}
				}
				if len(lines) != height || width > 14 && (pointers > 0) != (l.Len() > 0) || pointers > 3 {
					t.Fatalf("%d lines on %d, %d pointers for %d rows", len(lines), height, pointers, l.Len())
				}
				l.Run(nil)
				if _, turn := l.Pending(); turn == uuid.Nil && read != l.Selected() && !pending[read] {
					t.Fatalf("to be read is %v, the cursor is on %v", read, l.Selected())
				}
			},
		})
	})
}

func TestList_HiddenKeepsItsScroll(t *testing.T) {
	l := newLister(60, 8)
	l.SetSize(0, 0) // hidden at first, too
	l.Show(found(matches(40)))
	l.Scroll(3)
	l.SetSize(61, 8)
	if got := l.snippets(); got[0] != "0" {
		t.Errorf("a list that was hidden at first begins at row %s", got[0])
	}
	l.Scroll(9)
	l.Scroll(-4)
	before := l.snippets()
	l.SetSize(0, 0)
	l.Show(found(matches(40)))
	l.SetSize(61, 8)
	if got := l.snippets(); !slices.Equal(got, before) {
		t.Errorf("the rows were %v, and after the list was hidden %v", before, got)
	}
}
