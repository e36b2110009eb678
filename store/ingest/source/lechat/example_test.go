package lechat_test

import (
	"fmt"
	"strings"

	"lens/store/ingest/source/lechat"
)

func ExampleConversations() {
	file := `[
		{"id":"2","chatId":"c","role":"assistant","content":"In Provence.","createdAt":"2025-09-19T16:18:25Z"},
		{"id":"1","chatId":"c","role":"user","content":"Where is lavender?","createdAt":"2025-09-19T16:18:19Z"}]`
	for c, err := range lechat.Conversations(strings.NewReader(file)) {
		if err != nil {
			fmt.Println(err)
			return
		}
		fmt.Println(c.Turns[0].UserText, c.Turns[0].AssistantText)
	}
	// Output: Where is lavender? In Provence.
}
