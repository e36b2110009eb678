package matches_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/charmbracelet/colorprofile"
	"github.com/charmbracelet/x/ansi"
	"pgregory.net/rapid"

	"lens/tui/matches"
	"lens/tui/theme"
)

var mono = theme.New(theme.Mono, colorprofile.ASCII)

func items(n int) []matches.Item {
	var all []matches.Item
	for i := range n {
		all = append(all, matches.Item{
			ID: fmt.Sprint("m", i), Rank: i + 1, Score: 0.9 - float64(i)/1000, Date: "2024-05-14", Title: fmt.Sprint("title ", i), Snippet: fmt.Sprint("snippet 世界 ", i),
		})
	}
	return all
}

func shown(l *matches.List, width, height int, o matches.Options) []string {
	var lines []string
	for _, line := range l.View(width, height, o, mono) {
		lines = append(lines, strings.TrimRight(ansi.Strip(line), " "))
	}
	return lines
}

func TestList_DrawsVisibleRows(t *testing.T) {
	var l matches.List
	l.Set(items(10))
	l.Move(4)
	got := shown(&l, 60, 3, matches.Options{})
	want := []string{
		"   3 0.898  2024-05-14  snippet 世界 2", "   4 0.897  2024-05-14  snippet 世界 3", ">  5 0.896  2024-05-14  snippet 世界 4",
	}
	if strings.Join(got, "\n") != strings.Join(want, "\n") {
		t.Errorf("got\n%s", strings.Join(got, "\n"))
	}
	l.Move(-1)
	if again := shown(&l, 60, 3, matches.Options{}); again[0] != got[0] {
		t.Error("the rows scroll though the cursor is among them")
	}
}

func TestList_OtherRowsMoveAroundTheCursor(t *testing.T) {
	var l matches.List
	few := items(40)[10:20]
	l.Set(few)
	shown(&l, 60, 4, matches.Options{})
	l.Move(5)
	before := shown(&l, 60, 4, matches.Options{})
	l.Move(-1)
	l.Set(items(40))
	if got := shown(&l, 60, 4, matches.Options{}); got[0] != before[0] || !strings.HasPrefix(got[2], "> 15") {
		t.Errorf("the rows were\n%s\nand are\n%s", strings.Join(before, "\n"), strings.Join(got, "\n"))
	}
	l.Set(few)
	l.Move(-100)
	shown(&l, 60, 4, matches.Options{})
	l.Set(items(12)) // better matches, which the first row must not hide
	if got := shown(&l, 60, 12, matches.Options{}); !strings.HasPrefix(got[0], "   1") || !strings.HasPrefix(got[10], "> 11") {
		t.Errorf("the rows are\n%s", strings.Join(got, "\n"))
	}
}

func TestList_TallRowsShowTitleAndSnippet(t *testing.T) {
	var l matches.List
	l.Set(items(2))
	got := shown(&l, 40, 5, matches.Options{Tall: true})
	want := []string{">  1 0.900  2024-05-14  title 0", "       snippet 世界 0", "   2 0.899  2024-05-14  title 1", "       snippet 世界 1", ""}
	if strings.Join(got, "\n") != strings.Join(want, "\n") {
		t.Errorf("got\n%s", strings.Join(got, "\n"))
	}
}

func TestList_CursorStaysOnItsMatch(t *testing.T) {
	var l matches.List
	l.Set(items(10))
	l.Move(4)
	l.Set(items(10)[3:])
	if chosen, ok := l.Chosen(); !ok || chosen.ID != "m4" {
		t.Errorf("the cursor is on %v", chosen)
	}
	l.Set(items(10)[6:])
	if chosen, _ := l.Chosen(); chosen.ID != "m6" {
		t.Errorf("its match is gone and the cursor is on %v", chosen)
	}
	if l.Choose("m99") || !l.Choose("m9") {
		t.Error("Choose returns the wrong result")
	}
}

func TestList_HitsAreUnderlined(t *testing.T) {
	var l matches.List
	l.Set([]matches.Item{{Rank: 1, Snippet: "to cancel it", Hits: [][2]int{{3, 9}}}})
	line := l.View(60, 1, matches.Options{}, mono)[0]
	if !strings.Contains(line, "to \x1b[m\x1b[4") {
		t.Errorf("got %q", line)
	}
	if stale := l.View(60, 1, matches.Options{Stale: true}, mono)[0]; strings.Contains(stale, "\x1b[4m") {
		t.Errorf("stale: %q", stale)
	}
}

// After any operations the list fills its rectangle and the match under the cursor is visible.
func TestList_ChosenMatchIsVisible(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var l matches.List
		t.Repeat(map[string]func(*rapid.T){
			"set":    func(t *rapid.T) { l.Set(items(rapid.IntRange(0, 40).Draw(t, "n"))) },
			"move":   func(t *rapid.T) { l.Move(rapid.IntRange(-50, 50).Draw(t, "by")) },
			"choose": func(t *rapid.T) { l.Choose(fmt.Sprint("m", rapid.IntRange(0, 50).Draw(t, "id"))) },
			"": func(t *rapid.T) {
				o := matches.Options{Tall: rapid.Bool().Draw(t, "tall")}
				width, height := rapid.IntRange(1, 80).Draw(t, "width"), rapid.IntRange(2, 20).Draw(t, "height")
				lines := l.View(width, height, o, mono)
				pointers := 0
				for _, line := range lines {
					if ansi.StringWidth(line) != width {
						t.Fatalf("a line of %d cells on %d: %q", ansi.StringWidth(line), width, line)
					}
					if strings.HasPrefix(ansi.Strip(line), ">") {
						pointers++
					}
				}
				if len(lines) != height || pointers != min(1, l.Len()) && width > 1 {
					t.Fatalf("%d lines on %d, %d pointers for %d rows", len(lines), height, pointers, l.Len())
				}
			},
		})
	})
}
