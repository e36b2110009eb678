package chatgpt

import (
	"lens/internal/lazyregexp"
	"lens/store"
	"lens/store/ingest/source"
)

// Format is the layout of the conversations of an export.
var Format = source.Format{
	Source: store.ChatGPT, Name: "ChatGPT", Matches: matches, Derive: deriveAll, FindTools: findTools,
	Read:      func(f *source.File) source.Conversations { return conversations(f, textdocsOf(f)) },
	Companion: isTextdocs,
	Get:       "Settings, Data controls, Export data; a zip",
	// The last names are those that people give and get when they unpack an export; other services may use them, too,
	// and what is in the file is seen when it is imported.
	Download: lazyregexp.New(`(?i)^(?:[0-9a-f]{32,64}-\d{4}(?:-\d\d){5}-[0-9a-f]+\.zip|` +
		`conversations__.*chatgpt.*\.zip|chatgpt[-_ ].*\.(?:zip|json)|` +
		`(?:conversations|export)(?: ?\(\d+\))?\.(?:zip|json))$`),
}

// matches goes by the messages in the tree.
func matches(s *source.Sample) bool {
	return s.Any(func(c source.Value) bool {
		nodes := c.Get("mapping")
		return nodes.Any(hasAuthor) && !nodes.Any(hasFragments)
	})
}

// Resembles reports whether a file may be part of an export though it has no message: conversations may be empty, or
// have lost their tree.
func Resembles(s *source.Sample) bool {
	return s.Any(func(c source.Value) bool {
		return c.Has("mapping") && !c.Get("mapping").Any(hasMessage) || c.Has("title", "create_time")
	})
}

func hasMessage(node source.Value) bool { return node.Get("message").IsObject() }

func hasAuthor(node source.Value) bool { return node.Get("message", "author").IsObject() }

// hasFragments tells DeepSeek's messages, which are in a tree with the same names.
func hasFragments(node source.Value) bool { return node.Get("message").Has("fragments") }
