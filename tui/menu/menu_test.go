package menu

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/charmbracelet/colorprofile"
	"github.com/charmbracelet/x/ansi"

	"lens/tui/querybar"
	"lens/tui/theme"
)

var plain = theme.New(theme.ASCII, colorprofile.ASCII)

func fruit() Menu {
	return New("Fruit", "no such fruit", []Item{{"1", "apple", "a"}, {"2", "pineapple", ""}, {"3", "pear", "p"}, {"4", "plum", ""}})
}

func typed(m *Menu, text string) { m.Edit(func(b *querybar.Bar) { b.Insert(text) }) }

func TestMenu_TypingFilters(t *testing.T) {
	m := fruit()
	m.Move(2)
	typed(&m, "apple")
	if got, ok := m.Chosen(); !ok || got.Label != "apple" {
		t.Errorf("chosen is %v, want apple", got)
	}
	m.Move(9)
	if got, _ := m.Chosen(); got.Label != "pineapple" {
		t.Errorf("the last is %v, want pineapple", got)
	}
	typed(&m, "zz")
	if got, ok := m.Chosen(); ok {
		t.Errorf("%v is left for what is in no label", got)
	}
	if !strings.Contains(strings.Join(m.View(40, 8, plain), "\n"), "no such fruit") {
		t.Error("an empty menu does not say so")
	}
}

func TestMenu_Seek(t *testing.T) {
	m := fruit()
	for _, c := range []struct {
		id  string
		row int
		on  string
	}{{"3", 0, "pear"}, {"none", 1, "pineapple"}, {"none", 9, "plum"}, {"", 0, "apple"}} {
		m.Seek(c.id, c.row)
		if got, _ := m.Chosen(); got.Label != c.on {
			t.Errorf("%q or %d leads to %q, want %q", c.id, c.row, got.Label, c.on)
		}
	}
}

func TestMenu_CursorIsVisible(t *testing.T) {
	var items []Item
	for i := range 50 {
		items = append(items, Item{ID: fmt.Sprint(i), Label: fmt.Sprintf("item %d", i)})
	}
	m := New("Many", "none", items)
	for _, step := range []int{0, 1, 20, 60, -3, -100, 7} {
		m.Move(step)
		lines := m.View(30, 9, plain)
		chosen, _ := m.Chosen()
		marked := slices.IndexFunc(lines, func(l string) bool { return strings.HasPrefix(ansi.Strip(l), "> "+chosen.Label) })
		if marked < 0 {
			t.Fatalf("after %d the cursor on %q is not drawn:\n%s", step, chosen.Label, strings.Join(lines, "\n"))
		}
		if !m.Point(marked) {
			t.Fatalf("line %d is drawn and cannot be pointed at", marked)
		}
		if again, _ := m.Chosen(); again != chosen {
			t.Fatalf("pointing at %v chose %v", chosen, again)
		}
	}
	if m.Point(0) || m.Point(head+50) {
		t.Error("Point accepts the title or an empty line")
	}
}

func TestMenu_LineWidths(t *testing.T) {
	m := New("十年", "none", []Item{{"1", "十年前の質問 👩‍🚀", "ctrl+p"}, {"2", strings.Repeat("long ", 40), "x"}})
	for _, width := range []int{12, 33, 80} {
		for i, line := range m.View(width, 5, plain) {
			if got := ansi.StringWidth(line); got != width {
				t.Errorf("line %d of %d cells has %d: %q", i, width, got, line)
			}
		}
	}
}
