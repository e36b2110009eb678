package reader

import (
	"strings"
	"testing"

	"github.com/charmbracelet/colorprofile"

	"lens/tui/theme"
	"lens/tui/turn"
)

func TestPage_ScrollsFromHitToHit(t *testing.T) {
	var p page
	p.setHeight(10)
	hits := []int{4, 12, 28}
	p.show(turn.Text{Lines: strings.Split(strings.Repeat("line\n", 29)+"line", "\n"), Hits: hits}, false)
	if p.percent() != 33 || !p.next(hits, 1) || p.percent() != 46 || !p.next(hits, 1) || !p.next(hits, 1) || p.percent() != 100 {
		t.Errorf("%d%%", p.percent())
	}
	if p.next(hits, 1) {
		t.Error("found a hit after the last")
	}
	if !p.next(hits, -1) || p.percent() != 73 {
		t.Errorf("back at %d%%", p.percent())
	}
	p.scrollPages(5)
	p.home()
	p.scroll(-3)
	if got := p.view(20, theme.New(theme.Mono, colorprofile.ASCII)); len(got) != 10 || p.percent() != 33 {
		t.Errorf("%d lines, %d%%", len(got), p.percent())
	}
	p.end()
	p.show(turn.Text{Lines: make([]string, 60)}, true)
	if p.percent() < 60 {
		t.Errorf("in another shape the place is lost: %d%%", p.percent())
	}
}
