package proof_test

import (
	"fmt"
	"strings"

	"github.com/charmbracelet/colorprofile"
	"github.com/charmbracelet/x/ansi"

	"lens/tui/proof"
	"lens/tui/theme"
)

func Example() {
	p := proof.Page{Question: "how often?", Levels: []string{"standard", "strict", "paranoid"}}
	p.Slide(1)
	p.Show(&proof.Answer{
		Text: "“Feed it twice a day.” [notes.md (modified 2024-05-01)]", Basis: "seccomp: 4 kinds of socket refused; decisions 7 and 8 recorded",
		Hits: []proof.Hit{{ID: "1", Cited: "notes.md (modified 2024-05-01)", Says: "Feed it twice a day."}},
	})
	for _, line := range p.View(70, 9, theme.New(theme.ASCII, colorprofile.ASCII)) {
		fmt.Println(strings.TrimRight(ansi.Strip(line), " "))
	}
	// Output:
	//  Offline  "how often?"
	// Security: standard [strict] paranoid
	//
	// “Feed it twice a day.” [notes.md (modified 2024-05-01)]
	//
	// notes.md (modified 2024-05-01)
	//   Feed it twice a day.
	//
	// seccomp: 4 kinds of socket refused; decisions 7 and 8 recorded
}
