package librechat_test

import (
	"fmt"
	"strings"

	"lens/store/ingest/source/librechat"
)

func ExampleConversations() {
	export := `{"conversationId":"L1","title":"Fugues","messages":[
		{"messageId":"a","isCreatedByUser":true,"text":"What is a fugue?"},
		{"messageId":"b","parentMessageId":"a","isCreatedByUser":false,"text":"A chase of voices."}]}`
	for c, err := range librechat.Conversations(strings.NewReader(export)) {
		if err != nil {
			fmt.Println(err)
			return
		}
		fmt.Printf("%s: %s %s\n", c.Title, c.Turns[0].UserText, c.Turns[0].AssistantText)
	}
	// Output: Fugues: What is a fugue? A chase of voices.
}
