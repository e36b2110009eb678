package details

import (
	"fmt"
	"strings"
	"testing"

	"github.com/charmbracelet/colorprofile"
	"github.com/charmbracelet/x/ansi"

	"lens/tui/theme"
)

var ascii = theme.New(theme.ASCII, colorprofile.ASCII)

func sections() []section {
	match := section{title: "Match 3 of 400"}
	match.add("score", "0.910")
	match.add("nothing", "")
	match.add("found by", "words and meaning, both of which count, and neither of which is left out")
	return []section{match, {title: "Search"}, {title: "Archive", facts: []fact{{"turns", "1,560"}}}}
}

func ExamplePane() {
	for _, line := range laid(sections(), 44, ascii) {
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
	// turns         1,560
}

func TestPage_ScrollsWithinTheText(t *testing.T) {
	p := page{lines: laid(sections(), 44, ascii), height: 3}
	top := func() string { return ansi.Strip(p.lines[p.offset]) }
	if p.percent() >= 100 {
		t.Fatal("all of it is in view")
	}
	p.scrollPages(1)
	if !strings.Contains(top(), "both of") {
		t.Errorf("a page further begins with %q", top())
	}
	p.scroll(1 << 20)
	if p.offset != len(p.lines)-3 || p.percent() != 100 {
		t.Errorf("the end is at line %d, %d%%", p.offset, p.percent())
	}
	p.scroll(-1 << 20)
	if !strings.Contains(top(), "Match") {
		t.Errorf("the beginning is %q", top())
	}
}
