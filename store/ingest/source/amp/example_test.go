package amp_test

import (
	"fmt"
	"strings"

	"lens/store/ingest/source/amp"
)

func ExampleConversations() {
	thread := `{"id":"T-1","title":"Masts","messages":[
		{"role":"user","messageId":0,"content":[{"type":"text","text":"How high?"}]},
		{"role":"assistant","messageId":1,"content":[{"type":"thinking","thinking":"Hm."},{"type":"text","text":"9 m."}]}]}`
	for c, err := range amp.Conversations(strings.NewReader(thread)) {
		if err != nil {
			fmt.Println(err)
			return
		}
		fmt.Printf("%s: %s %s\n", c.Title, c.Turns[0].UserText, c.Turns[0].AssistantText)
	}
	// Output: Masts: How high? 9 m.
}
