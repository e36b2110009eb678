package reader

import (
	"testing"

	"lens/tui/turn"
)

func TestPage_ScrollsFromHitToHit(t *testing.T) {
	var p page
	p.SetHeight(10)
	hits := []int{4, 12, 28}
	p.show(turn.Text{Lines: make([]string, 30), Hits: hits}, false)
	for i, want := range []int{4, 12, 20} {
		if !p.next(hits, 1) || p.Offset() != want {
			t.Errorf("hit %d: at line %d, want %d", i, p.Offset(), want)
		}
	}
	if p.next(hits, 1) {
		t.Error("found a hit after the last")
	}
	if !p.next(hits, -1) || p.Offset() != 12 {
		t.Errorf("back at line %d", p.Offset())
	}
}

func TestPage_KeepsItsPlaceInAnotherForm(t *testing.T) {
	var p page
	p.SetHeight(10)
	p.show(turn.Text{Lines: make([]string, 30)}, false)
	p.ScrollTo(12)
	if p.show(turn.Text{Lines: make([]string, 60)}, true); p.Offset() != 24 {
		t.Errorf("twice as long, it is at line %d", p.Offset())
	}
	if p.show(turn.Text{Lines: make([]string, 60)}, false); p.Offset() != 0 {
		t.Errorf("another turn begins at line %d", p.Offset())
	}
}
