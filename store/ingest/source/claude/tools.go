package claude

import (
	"strings"

	"lens/store"
	"lens/store/ingest/chat"
)

// deriveAll is derive, with the results of tools and the thoughts that were kept.
func deriveAll(c *store.Conversation) []chat.Derived {
	return append(derive(c), chat.KeptTools(c, findTools)...)
}

// findTools returns the thoughts and the results of tools among the blocks of a message.
func findTools(m *store.Message) (all []chat.ToolText) {
	if chat.Mentions(m, "antThinking") && m.Role == store.Assistant {
		for _, thought := range thoughtsIn(writtenText(m)) {
			all = append(all, chat.ToolText{Kind: store.Thought, Text: thought})
		}
	}
	if !chat.Mentions(m, `"thinking"`, `"tool_result"`) {
		return all
	}
	r := chat.NewCursor(m.Raw)
	member(r, "content", func() {
		r.Array(func() {
			var kind, thought string
			var result []string
			r.Object(func(name []byte) {
				switch string(name) {
				case "type":
					kind = r.String()
				case "thinking":
					thought = r.String()
				case "content":
					result = resultTexts(r)
				}
			})
			switch text := chat.Paragraphs(result); {
			case kind == "thinking" && strings.TrimSpace(thought) != "":
				all = append(all, chat.ToolText{Kind: store.Thought, Text: thought})
			case kind == "tool_result" && strings.TrimSpace(text) != "":
				all = append(all, chat.ToolText{Kind: store.ToolResult, Text: text})
			}
		})
	})
	return all
}

// resultTexts returns the texts of a result: a string, or blocks, such as pages that were found.
func resultTexts(r *chat.Cursor) (texts []string) {
	if r.Is('"') {
		return []string{r.String()}
	}
	r.Array(func() {
		var title, text string
		r.Object(func(name []byte) {
			switch string(name) {
			case "title":
				title = r.String()
			case "text":
				text = r.String()
			}
		})
		texts = append(texts, title, text)
	})
	return texts
}
