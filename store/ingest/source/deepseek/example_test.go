package deepseek_test

import (
	"fmt"
	"strings"

	"lens/store/ingest/source/deepseek"
)

func ExampleConversations() {
	export := `[{"id":"74ae7ef3-306e-4002-976e-cd4604acd90f","title":"Bread","mapping":{
		"1":{"children":["2"],"message":{"fragments":[{"type":"REQUEST","content":"How wet is ciabatta?"}]}},
		"2":{"parent":"1","message":{"fragments":[{"type":"THINK","content":"Hm."},{"type":"RESPONSE","content":"Very."}]}}}}]`
	for c, err := range deepseek.Conversations(strings.NewReader(export)) {
		if err != nil {
			fmt.Println(err)
			return
		}
		fmt.Printf("%s: %s %s\n", c.Title, c.Turns[0].UserText, c.Turns[0].AssistantText)
	}
	// Output: Bread: How wet is ciabatta? Very.
}
