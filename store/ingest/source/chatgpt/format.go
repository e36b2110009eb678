package chatgpt

import (
	"lens/store"
	"lens/store/ingest/source"
)

// Format is the layout of the conversations of an export.
var Format = source.Format{
	Source: store.ChatGPT, Name: "ChatGPT", Matches: matches, Read: source.Reads(Conversations),
}

// matches goes by the tree of messages. Conversations without messages are known by what else they have.
func matches(s *source.Sample) bool {
	return s.Any(func(c source.Value) bool {
		nodes := c.Get("mapping")
		if nodes.Any(hasMessage) {
			return nodes.Any(hasAuthor) && !nodes.Any(hasFragments)
		}
		return c.Has("mapping") || c.Has("title", "create_time") && c.Get("create_time").IsNumber()
	})
}

func hasMessage(node source.Value) bool { return node.Get("message").IsObject() }

func hasAuthor(node source.Value) bool { return node.Get("message", "author").IsObject() }

// hasFragments tells DeepSeek's messages, which are in a tree with the same names.
func hasFragments(node source.Value) bool { return node.Get("message").Has("fragments") }
