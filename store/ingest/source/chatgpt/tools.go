package chatgpt

import (
	"strings"

	"lens/store"
	"lens/store/ingest/chat"
)

// deriveAll is derive, with the results of tools and the thoughts that were kept.
func deriveAll(c *store.Conversation) []chat.Derived {
	return append(derive(c), chat.KeptTools(c, findTools)...)
}

// findTools returns the code that was run, the results and the thoughts in a message. derive finds canvas documents.
func findTools(m *store.Message) []chat.ToolText {
	if m.Visible || strings.TrimSpace(m.Text) == "" || chat.Mentions(m, `"canmore.`) {
		return nil
	}
	switch {
	case m.Role == store.Tool, m.Role == store.Assistant && m.ContentType == string(code):
		return []chat.ToolText{{Kind: store.ToolResult, Text: m.Text}}
	case m.ContentType == string(thoughts):
		return []chat.ToolText{{Kind: store.Thought, Text: m.Text}}
	}
	return nil
}
