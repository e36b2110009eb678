package openwebui_test

import (
	"fmt"
	"strings"

	"lens/store/ingest/source/openwebui"
)

func ExampleConversations() {
	export := `[{"id":"c1","title":"Moss","chat":{"history":{"currentId":"a","messages":{
		"q":{"childrenIds":["a"],"role":"user","content":"How does moss drink?"},
		"a":{"parentId":"q","childrenIds":[],"role":"assistant","content":"<think>Hm.</think>Through its leaves."}}}}}]`
	for c, err := range openwebui.Conversations(strings.NewReader(export)) {
		if err != nil {
			fmt.Println(err)
			return
		}
		fmt.Printf("%s: %s %s\n", c.Title, c.Turns[0].UserText, c.Turns[0].AssistantText)
	}
	// Output: Moss: How does moss drink? Through its leaves.
}
