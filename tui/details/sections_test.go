package details

import (
	"fmt"

	"github.com/charmbracelet/colorprofile"

	"lens/tui/theme"
	"lens/tui/ui/uitest"
)

func sections() []section {
	match := section{title: "Match 3 of 400"}
	match.add("score", "0.910")
	match.add("nothing", "")
	match.add("found by", "words and meaning, both of which count, and neither of which is left out")
	return []section{match, {title: "Search"}, {title: "Archive", facts: []fact{{"turns", "1,560"}}}}
}

func ExamplePane() {
	fmt.Println(uitest.Text(laid(sections(), 44, theme.New(theme.ASCII, colorprofile.ASCII))))
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
