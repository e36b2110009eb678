package matches_test

import (
	"fmt"

	"github.com/charmbracelet/colorprofile"
	"github.com/charmbracelet/x/ansi"

	"lens/tui/matches"
	"lens/tui/theme"
)

func Example() {
	var l matches.List
	l.Set([]matches.Item{
		{ID: "a", Rank: 1, Score: 0.91, Date: "2024-05-14", Snippet: "How do I cancel a request?"},
		{ID: "b", Rank: 2, Score: 0.88, Date: "undated", Snippet: "Drop order of futures"},
	})
	l.Move(1)
	for _, line := range l.View(46, 2, matches.Options{}, theme.New(theme.ASCII, colorprofile.ASCII)) {
		fmt.Println("|" + ansi.Strip(line) + "|")
	}
	// Output:
	// |   1  2024-05-14  How do I cancel a request?  |
	// |>  2  undated     Drop order of futures       |
}
