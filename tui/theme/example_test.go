package theme_test

import (
	"fmt"

	"github.com/charmbracelet/colorprofile"

	"lens/tui/theme"
)

func Example() {
	th := theme.New(theme.ASCII, colorprofile.ASCII)
	fmt.Println(th.Fit("a title that is too long", 12) + "|")
	fmt.Println(th.Remarks(theme.Count(12_400, "turn", "turns"), theme.Percent(0.26)))
	// Output:
	// a title th..|
	// 12,400 turns - 26%
}
