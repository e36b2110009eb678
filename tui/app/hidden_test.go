package app

import (
	"strconv"
	"testing"

	tea "charm.land/bubbletea/v2"
)

// What is hidden comes back as it was: by another pane, a maximized one, or a terminal that is too small.
func TestScreen_HiddenPanesComeBackAsTheyWere(t *testing.T) {
	for name, c := range map[string]struct {
		width, height      int
		before, away, back string
	}{
		"a list alone":          {59, 14, "2 j j j j j j j j j j k k k", "enter", "esc"},
		"a list at its end":     {120, 24, "2 G k k", "3 z", "z 2"},
		"a turn":                {59, 14, "2 enter j j", "esc", "enter"},
		"a chart":               {59, 14, "1 h h n", "2", "1"},
		"a chart and its brush": {59, 14, "1 h h v h", "2", "1"},
	} {
		t.Run(name, func(t *testing.T) {
			d := explore(newFake(300), c.width, c.height).search("cancel").keys(c.before)
			before := d.screen()
			if d.keys(c.away); d.screen() == before {
				t.Fatal("nothing is hidden")
			}
			if d.keys(c.back); d.screen() != before {
				t.Errorf("it was\n%s\nand is\n%s", before, d.screen())
			}
			d.send(tea.WindowSizeMsg{Width: 20, Height: 5})
			d.send(tea.WindowSizeMsg{Width: c.width, Height: c.height})
			if d.screen() != before {
				t.Errorf("after a small terminal, it was\n%s\nand is\n%s", before, d.screen())
			}
		})
	}
}

func TestScreen_HiddenQuestionKeepsItsCursor(t *testing.T) {
	d := drive(Options{Archive: over(newFake(300))}, 80, 30).search("cancel").keys("c")
	for i := range 8 {
		for _, r := range "line " + strconv.Itoa(i) {
			d.send(tea.KeyPressMsg{Code: r, Text: string(r)})
		}
		d.keys("alt+enter")
	}
	d.keys("up up up up")
	before := d.screen()
	if d.keys("esc 3"); d.screen() == before {
		t.Fatal("nothing is hidden")
	}
	if d.keys("c"); d.screen() != before {
		t.Errorf("it was\n%s\nand is\n%s", before, d.screen())
	}
}
