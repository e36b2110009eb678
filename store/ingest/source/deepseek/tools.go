package deepseek

import (
	"strings"

	"lens/store"
	"lens/store/ingest/chat"
)

// derive returns the results of searches and the thoughts that were kept.
func derive(c *store.Conversation) []chat.Derived { return chat.KeptTools(c, findTools) }

// findTools returns the thoughts, and the results of searches and other tools, among the fragments of a message.
func findTools(m *store.Message) (all []chat.ToolText) {
	if !chat.Mentions(m, `"THINK"`, `"SEARCH"`, `"TOOL_`, `"READ_LINK"`) {
		return nil
	}
	r := &reader{Cursor: chat.NewCursor(m.Raw)}
	r.Object(func(name []byte) {
		if string(name) != "fragments" {
			return
		}
		r.Array(func() {
			f := r.fragment()
			t := chat.ToolText{Kind: store.ToolResult, Text: chat.Paragraphs(append([]string{f.content}, f.results...))}
			switch f.kind {
			case "THINK":
				t.Kind = store.Thought
			case "SEARCH", "TOOL_FIND", "TOOL_SEARCH", "TOOL_OPEN", "READ_LINK":
			default:
				return
			}
			if strings.TrimSpace(t.Text) != "" {
				all = append(all, t)
			}
		})
	})
	return all
}

// results returns what a search found, a text for each page.
func (r *reader) results() (all []string) {
	r.Array(func() {
		var title, url, snippet string
		r.Object(func(name []byte) {
			switch string(name) {
			case "title":
				title = r.String()
			case "url":
				url = r.String()
			case "snippet":
				snippet = r.String()
			}
		})
		all = append(all, strings.Trim(title+"\n"+url+"\n"+snippet, "\n"))
	})
	return all
}
