package aider_test

import (
	"fmt"
	"strings"

	"lens/store/ingest/source/aider"
)

func ExampleConversations() {
	history := "# aider chat started at 2026-04-01 08:00:00\n\n#### Why a gnomon?  \n\nIt casts the shadow.\n\n> Tokens: 12  \n"
	for c, err := range aider.Conversations(strings.NewReader(history)) {
		if err != nil {
			fmt.Println(err)
			return
		}
		fmt.Printf("%s: %s %s\n", c.Created.Format("2006-01-02"), c.Turns[0].UserText, c.Turns[0].AssistantText)
	}
	// Output: 2026-04-01: Why a gnomon? It casts the shadow.
}
