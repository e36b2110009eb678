package ui_test

import (
	"fmt"
	"testing"

	"pgregory.net/rapid"

	"lens/tui/ui"
)

func ExampleScroller() {
	s := ui.Scroller{Overlap: 1}
	s.SetLines([]string{"1", "2", "3", "4", "5"})
	s.SetHeight(3)
	s.ScrollPages(1)
	fmt.Println(s.Window(), s.Below())
	// Output: [3 4 5] 0
}

// Whatever happens, the window is full if there is enough text, and turning a page leaves nothing out.
func TestScroller(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := ui.Scroller{Overlap: rapid.IntRange(0, 2).Draw(t, "overlap")}
		n, height := 0, 0
		t.Repeat(map[string]func(*rapid.T){
			"text": func(t *rapid.T) {
				n = rapid.IntRange(0, 40).Draw(t, "lines")
				s.SetLines(make([]string, n))
			},
			"height": func(t *rapid.T) {
				height = rapid.IntRange(0, 12).Draw(t, "height")
				s.SetHeight(height)
			},
			"scroll": func(t *rapid.T) { s.Scroll(rapid.IntRange(-50, 50).Draw(t, "by")) },
			"page": func(t *rapid.T) {
				before := s.Offset()
				if s.ScrollPages(1); height > 0 && s.Offset() > before+height {
					t.Fatalf("a page of %d lines goes from %d to %d", height, before, s.Offset())
				}
			},
			"end": func(*rapid.T) { s.ScrollTo(s.Last()) },
			"": func(t *rapid.T) {
				if got := len(s.Window()); got != min(n, height) || s.Offset() < 0 {
					t.Fatalf("%d lines in view from %d, of %d in %d", got, s.Offset(), n, height)
				}
				if got := s.Below(); got != n-s.Offset()-len(s.Window()) {
					t.Fatalf("%d lines below %d in view from %d, of %d", got, len(s.Window()), s.Offset(), n)
				}
			},
		})
	})
}
