package perplexity_test

import (
	"fmt"
	"strings"

	"lens/store/ingest/source/perplexity"
)

func ExampleConversations() {
	thread := `{"metadata":{"thread_title":"Fjords"},"conversations":[{"query":"Deepest fjord?","answer":"Sognefjord."}]}`
	for c, err := range perplexity.Conversations(strings.NewReader(thread)) {
		if err != nil {
			fmt.Println(err)
			return
		}
		fmt.Printf("%s: %s %s\n", c.Title, c.Turns[0].UserText, c.Turns[0].AssistantText)
	}
	// Output: Fjords: Deepest fjord? Sognefjord.
}
