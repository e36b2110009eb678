package cline_test

import (
	"fmt"
	"strings"

	"lens/store/ingest/source/cline"
)

func ExampleConversation() {
	task := `[{"ts":1775030400000,"type":"say","say":"task","text":"Ring the bell"},
		{"ts":1775030401000,"type":"say","say":"api_req_started","text":"{}"},
		{"ts":1775030402000,"type":"say","say":"completion_result","text":"It rings."}]`
	for c, err := range cline.Conversation(strings.NewReader(task)) {
		if err != nil {
			fmt.Println(err)
			return
		}
		fmt.Printf("%s: %s\n", c.Turns[0].UserText, c.Turns[0].AssistantText)
	}
	// Output: Ring the bell: It rings.
}
