package copilot_test

import (
	"fmt"
	"strings"

	"lens/store/ingest/source/copilot"
)

func ExampleConversations() {
	export := "Conversation,Time,Author,Message\n" +
		"Rye starter,2026-02-17T14:36:11,user,How long does it take?\n" +
		"Rye starter,2026-02-17T14:36:19,AI,About five days.\n"
	for c, err := range copilot.Conversations(strings.NewReader(export)) {
		if err != nil {
			fmt.Println(err)
			return
		}
		fmt.Printf("%s: %s %s\n", c.Title, c.Turns[0].UserText, c.Turns[0].AssistantText)
	}
	// Output: Rye starter: How long does it take? About five days.
}
