package chatgpt_test

import (
	"errors"
	"fmt"
	"os"
	"strings"
	"time"

	"lens/store/ingest/chat"
	"lens/store/ingest/source/chatgpt"
)

func ExampleConversations() {
	file, err := os.Open("testdata/conversations.json")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer file.Close()
	for c, err := range chatgpt.Conversations(file) {
		var skip *chat.Skip
		if errors.As(err, &skip) {
			fmt.Println("skipped:", skip)
			continue
		} else if err != nil {
			fmt.Println(err)
			return
		}
		fmt.Printf("%s: %d messages\n", c.Title, len(c.Messages))
		for _, turn := range c.Turns {
			when := "undated"
			if !turn.Time.IsZero() {
				when = turn.Time.Format(time.DateTime)
			}
			fmt.Printf("  %s  %q -> %q\n", when, turn.UserText, turn.AssistantText)
		}
	}
	// Output:
	// Kettle: 10 messages
	//   2026-03-01 09:00:01  "Why does my kettle whistle?" -> "Steam leaves through a narrow gap."
	//   2026-03-01 09:01:00  "Can I stop it? 🫖" -> "Open the lid."
	// Slim and undated: 2 messages
	//   undated  "Slim and undated\nsecond line" -> "So I see."
	// skipped: conversation 2: null
	// skipped: conversation 3: no mapping
	// Custom instructions: 1 messages
}

func ExamplePageConversations() {
	page := `<script>var jsonData = [{"id":"c1","title":"Tea","mapping":{}}]; var assetsJson = {}</script>`
	for c, err := range chatgpt.PageConversations(strings.NewReader(page)) {
		if err != nil {
			fmt.Println(err)
			return
		}
		fmt.Println(c.Title)
	}
	// Output: Tea
}

func ExampleMarkdownConversation() {
	saved := "# Tea\n\n#### You:\nHow hot?\n\n#### ChatGPT:\nEighty degrees.\n"
	for c, err := range chatgpt.MarkdownConversation(strings.NewReader(saved)) {
		if err != nil {
			fmt.Println(err)
			return
		}
		fmt.Printf("%s: %s %s\n", c.Title, c.Turns[0].UserText, c.Turns[0].AssistantText)
	}
	// Output: Tea: How hot? Eighty degrees.
}
