package chat_test

import (
	"fmt"
	"time"

	"lens/store"
	"lens/store/ingest/chat"
)

func ExampleBuild() {
	asked := time.Date(2026, 3, 1, 9, 0, 0, 0, time.UTC)
	parsed := chat.Build(&chat.Draft{
		Source: store.ChatGPT, ID: "herons", Current: "2",
		Nodes: []chat.Node{
			{ID: "0"},
			{ID: "1", Parent: "0", Message: &chat.Message{Role: store.User, Text: "What is a heron?", Time: asked, Visible: true}},
			{ID: "2", Parent: "1", Message: &chat.Message{Role: store.Assistant, Text: "A long-legged bird.", Visible: true}},
			{ID: "3", Parent: "1", Message: &chat.Message{Role: store.Assistant, Text: "A fish.", Visible: true}},
		},
	})
	fmt.Println(parsed.Title)
	for _, turn := range parsed.Turns {
		fmt.Println(turn.Time.Format(time.DateOnly), turn.EmbeddedText())
	}
	fmt.Println(parsed.Count.Nodes, "nodes,", parsed.Count.Messages, "messages, skipped", parsed.Count.Skipped)
	// Output:
	// What is a heron?
	// 2026-03-01 User: What is a heron?
	// Assistant: A long-legged bird.
	// 2026-03-01 User: What is a heron?
	// Assistant: A fish.
	// 4 nodes, 3 messages, skipped map[no message:1]
}

func ExampleCleanMarkers() {
	fmt.Println(chat.CleanMarkers("Herons wade \ue200cite\ue202turn0search0\ue201 in \ue200entity\ue202[\"city\",\"Lisbon\"]\ue201."))
	// Output: Herons wade in Lisbon.
}

func ExampleTime() {
	fmt.Println(chat.Time("1686317999.717382"))
	fmt.Println(chat.Time("2023-06-09T15:39:59+02:00"))
	fmt.Println(chat.Time("someday").IsZero())
	// Output:
	// 2023-06-09 13:39:59.717382 +0000 UTC
	// 2023-06-09 13:39:59 +0000 UTC
	// true
}
