package claude_test

import (
	"fmt"
	"os"

	"lens/store/ingest/source/claude"
)

func ExampleConversations() {
	file, err := os.Open("testdata/conversations.json")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer file.Close()
	for c, err := range claude.Conversations(file) {
		if err != nil {
			fmt.Println(err)
			return
		}
		fmt.Printf("%s: %d messages, %d turns\n", c.Title, len(c.Messages), len(c.Turns))
	}
	// Output:
	// Tea: 4 messages, 2 turns
	// Why is it bitter?: 1 messages, 1 turns
	// Never begun: 0 messages, 0 turns
}
