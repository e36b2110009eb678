package ui_test

import (
	"fmt"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"lens/tui/ui"
)

func numbers(from, to int) (rows []int) {
	for i := from; i < to; i++ {
		rows = append(rows, i)
	}
	return rows
}

func same(a, b int) bool { return a == b }

func ExampleList() {
	var l ui.List[string]
	l.Set([]string{"apple", "pear", "plum"})
	l.SetPage(2)
	l.Move(2)
	rows, first := l.Window()
	chosen, _ := l.Chosen()
	fmt.Println(rows, first, chosen)
	// Output: [pear plum] 1 plum
}

func TestList_ScrollsAsLittleAsNeeded(t *testing.T) {
	var l ui.List[int]
	l.Set(numbers(0, 10))
	l.SetPage(3)
	for _, step := range []struct{ by, first int }{{2, 0}, {1, 1}, {-1, 1}, {-1, 1}, {-1, 0}, {99, 7}, {-2, 7}} {
		if l.Move(step.by); true {
			if _, first := l.Window(); first != step.first {
				t.Errorf("after %d the window begins at %d, not at %d", step.by, first, step.first)
			}
		}
	}
}

func TestList_OptionalCursor(t *testing.T) {
	l := ui.List[int]{Optional: true}
	l.Set(numbers(0, 3))
	if _, ok := l.Chosen(); ok || l.Cursor() != -1 {
		t.Error("a row is chosen at first")
	}
	if l.Move(1); l.Cursor() != 0 {
		t.Errorf("down leads to %d", l.Cursor())
	}
	if l.Move(-5); l.Cursor() != -1 {
		t.Errorf("up leads to %d", l.Cursor())
	}
}

func TestList_ReplaceKeepsTheRowAndItsLine(t *testing.T) {
	var l ui.List[int]
	l.Set(numbers(10, 20))
	l.SetPage(4)
	l.Move(5)
	l.Move(-1) // row 14, the third line of 12 to 15
	l.Replace(numbers(0, 40), same)
	if chosen, _ := l.Chosen(); chosen != 14 {
		t.Errorf("the cursor is on %d", chosen)
	}
	if rows, _ := l.Window(); !slices.Equal(rows, numbers(12, 16)) {
		t.Errorf("in view are %v", rows)
	}
	l.Replace(numbers(20, 40), same)
	if rows, _ := l.Window(); l.Cursor() != 0 || rows[0] != 20 {
		t.Errorf("the row is gone, and the cursor on %d of %v", l.Cursor(), rows)
	}
	l.Move(2)
	l.Replace(numbers(15, 40), same) // not scrolled: better rows above stay in view
	if rows, _ := l.Window(); rows[0] != 19 && rows[0] != 15 {
		t.Errorf("in view are %v", rows)
	}
}

func TestList_Point(t *testing.T) {
	var l ui.List[int]
	l.Set(numbers(0, 10))
	l.SetPage(3)
	l.MoveTo(9)
	if !l.Point(1) || l.Cursor() != 8 {
		t.Errorf("the cursor is on %d", l.Cursor())
	}
	for _, row := range []int{-1, 3, 99} {
		if l.Point(row) {
			t.Errorf("there is a row %d", row)
		}
	}
}

// After any operations the window is as full as it can be, and the cursor in it.
func TestList_CursorIsInView(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		l := ui.List[int]{Optional: rapid.Bool().Draw(t, "optional")}
		page := 0
		t.Repeat(map[string]func(*rapid.T){
			"set":     func(t *rapid.T) { l.Set(numbers(0, rapid.IntRange(0, 30).Draw(t, "n"))) },
			"replace": func(t *rapid.T) { l.Replace(numbers(rapid.IntRange(0, 9).Draw(t, "from"), 30), same) },
			"page":    func(t *rapid.T) { page = rapid.IntRange(1, 20).Draw(t, "page"); l.SetPage(page) },
			"move":    func(t *rapid.T) { l.Move(rapid.IntRange(-40, 40).Draw(t, "by")) },
			"point":   func(t *rapid.T) { l.Point(rapid.IntRange(-2, 30).Draw(t, "row")) },
			"": func(t *rapid.T) {
				rows, first := l.Window()
				if page > 0 && len(rows) != min(page, len(l.Rows())) {
					t.Fatalf("%d rows in view of %d, the page is %d", len(rows), len(l.Rows()), page)
				}
				if at := l.Cursor(); at >= 0 && (at < first || at >= first+len(rows)) || at < 0 && len(rows) > 0 && !l.Optional {
					t.Fatalf("the cursor is on %d, in view are %v from %d", at, rows, first)
				}
			},
		})
	})
}

func TestList_RowsOfSeveralLines(t *testing.T) {
	l := ui.List[int]{Height: func(row int) int { return 1 + row%3 }} // 1 2 3 1 2 3 …
	l.Set(numbers(0, 10))
	l.SetPage(5)
	for cursor, want := range [][]int{{0, 1}, {0, 1}, {1, 2}, {2, 3}, {3, 4}, {4, 5}} {
		l.MoveTo(cursor)
		if rows, _ := l.Window(); !slices.Equal(rows, want) {
			t.Errorf("around row %d are %v, not %v", cursor, rows, want)
		}
	}
	if !l.Point(4) || l.Cursor() != 5 || !l.Point(1) || l.Cursor() != 4 || l.Point(5) {
		t.Errorf("the cursor is on %d", l.Cursor())
	}
	l.MoveTo(9)
	if rows, _ := l.Window(); !slices.Equal(rows, []int{8, 9}) {
		t.Errorf("the last rows are %v", rows)
	}
}
