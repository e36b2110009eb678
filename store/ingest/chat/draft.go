package chat

import (
	"time"

	"lens/store"
)

// Draft is a conversation as its file has it: nodes in the order of the file, linked by the ids of the file. Any field may be
// missing. Build makes a Parsed of it.
type Draft struct {
	Source  store.Source
	ID      string
	Title   string // mostly as exported; Build cleans it, or takes the first line of the first user message
	Created time.Time
	Updated time.Time
	Model   string
	Current string // id of the node where the active path ends
	Nodes   []Node
	Count   Count // what the parser has counted: UnknownContent, Scrubbed
}

// Node is one node of a Draft's tree. A node without a message is dropped and its children go to its parent.
type Node struct {
	ID       string
	Alias    string // another id that links may use; may be empty
	Parent   string
	Children []string // nil in exports that only link upward; where there is one, it orders siblings
	Message  *Message
	Dropped  string // why there is no message; empty: "no message"
}

// Message is a node's message before its place in the tree is known.
type Message struct {
	ID          string // empty: the node's
	Role        store.Role
	ContentType string
	Text        string
	Summary     string
	Model       string
	Time        time.Time // zero: unknown
	Visible     bool
	Raw         []byte
}
