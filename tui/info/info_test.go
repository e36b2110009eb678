package info_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/charmbracelet/colorprofile"
	"github.com/charmbracelet/x/ansi"

	"lens/tui/info"
	"lens/tui/theme"
)

var ascii = theme.New(theme.ASCII, colorprofile.ASCII)

func sections() []info.Section {
	match := info.Section{Title: "Match 3 of 400"}
	match.Add("score", "0.910")
	match.Add("nothing", "")
	match.Add("found by", "words and meaning, both of which count, and neither of which is left out")
	return []info.Section{match, {Title: "Archive", Facts: []info.Fact{{"turns", "1,560"}}}}
}

func Example() {
	var p info.Page
	for _, line := range p.View(sections(), 44, 7, ascii) {
		fmt.Println(strings.TrimRight(ansi.Strip(line), " "))
	}
	// Output:
	// Match 3 of 400
	// score         0.910
	// found by      words and meaning, both of
	//               which count, and neither of
	//               which is left out
	//
	// Archive
}

func TestPage_LinesFitAnyWidth(t *testing.T) {
	for width := 1; width < 90; width++ {
		var p info.Page
		for _, line := range p.View(sections(), width, 12, ascii) {
			if n := ansi.StringWidth(line); n != width {
				t.Fatalf("a line of %d cells in %d: %q", n, width, line)
			}
		}
	}
}

func TestPage_ScrollsWithinTheText(t *testing.T) {
	var p info.Page
	p.View(sections(), 44, 3, ascii)
	if p.Percent() >= 100 {
		t.Fatal("Percent is 100 for a text that does not fit")
	}
	p.ScrollPage(1)
	if line := p.View(sections(), 44, 3, ascii)[0]; !strings.Contains(line, "both of") {
		t.Errorf("a page further begins with %q", line)
	}
	p.Scroll(1 << 20)
	last := p.View(sections(), 44, 3, ascii)
	if !strings.Contains(last[2], "1,560") || p.Percent() != 100 {
		t.Errorf("the end is %q, at %d%%", last, p.Percent())
	}
	p.Scroll(-1 << 20)
	if line := p.View(sections(), 44, 3, ascii)[0]; !strings.Contains(line, "Match") {
		t.Errorf("the beginning is %q", line)
	}
}
