package turn_test

import (
	"fmt"

	"github.com/charmbracelet/x/ansi"

	"lens/retrieval"
	"lens/tui/turn"
)

func Example() {
	text := turn.Render(&retrieval.Turn{User: "Which knife?", Assistant: "A **sharp** one.", Source: "claude"}, turn.Options{Width: 40}, mono)
	for _, line := range text.Lines {
		fmt.Println(ansi.Strip(line))
	}
	// Output:
	// You  undated
	// Which knife?
	//
	// Claude
	// A sharp one.
}
