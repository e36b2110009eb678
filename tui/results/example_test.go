package results_test

import (
	"fmt"
	"time"

	"github.com/charmbracelet/x/ansi"
	"github.com/google/uuid"

	"lens/retrieval"
	"lens/tui/results"
	"lens/tui/theme"
	"lens/tui/ui/uitest"
)

func Example() {
	l := results.New(uitest.Context(theme.ASCII))
	l.SetSize(47, 3)
	l.Show(results.Found{
		Peek: &retrieval.Peek{
			Histogram: retrieval.Histogram{Total: 2},
			Matches: []retrieval.Match{
				{
					TurnID: uuid.New(), Conversation: uuid.New(), Score: new(0.91),
					Time:        new(time.Date(2024, time.May, 14, 9, 30, 0, 0, time.UTC)),
					UserSnippet: "How do I cancel a request?",
				},
				{
					TurnID: uuid.New(), Conversation: uuid.New(), Score: new(0.88),
					UserSnippet: "Drop order of futures",
				},
			},
		},
		Searched: true,
		All:      true,
		Missing:  results.Missing{Searching: true},
	})
	l.Scroll(1)
	for _, line := range l.View() {
		fmt.Println("|" + ansi.Strip(line) + "|")
	}
	// Output:
	// |  Matches                        2, best first |
	// |  ~ How do I cancel a request?     14 May 2024 |
	// |> ~ Drop order of futures          undated     |
}
