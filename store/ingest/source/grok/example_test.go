package grok_test

import (
	"fmt"
	"strings"

	"lens/store/ingest/source/grok"
)

func ExampleConversations() {
	export := `{"conversations":[{"conversation":{"id":"c1","title":"Tides"},"responses":[
		{"response":{"_id":"r1","sender":"human","message":"Why two a day?"}},
		{"response":{"_id":"r2","sender":"ASSISTANT","message":"The sea bulges twice.","parent_response_id":"r1"}}]}]}`
	for c, err := range grok.Conversations(strings.NewReader(export)) {
		if err != nil {
			fmt.Println(err)
			return
		}
		fmt.Printf("%s: %s %s\n", c.Title, c.Turns[0].UserText, c.Turns[0].AssistantText)
	}
	// Output: Tides: Why two a day? The sea bulges twice.
}
