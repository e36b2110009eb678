package details

import (
	"fmt"
	"strings"

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
