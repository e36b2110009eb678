package chat

import (
	"fmt"
	"slices"
	"time"

	"lens/store"
)

// Draft is a conversation as read from its file: nodes in the order of the file, linked by exported ids. Any field may
// be missing. Build makes a Parsed of it.
type Draft struct {
	Source  store.Source
	ID      string
	Title   string // as exported; Build cleans it, or uses the first line of the first user message
	Created time.Time
	Updated time.Time
	Model   string
	Current string // id of the node where the active path ends
	Nodes   []Node
	Count   Count  // the parser's counts: UnknownContent, Scrubbed
	Derive  Derive // nil: nothing derives from it
	Beside  bool   // as in Parsed
}

// Node is one node of a Draft's tree. A node without a message is dropped and its children go to its parent.
type Node struct {
	ID       string
	Alias    string // another id that links may use; may be empty
	Parent   string
	Children []string // the order of siblings; nil in exports that only have parents
	Message  *Message
	Dropped  string // the reason why Message is nil; empty: "no message"
}

// Drop adds a node that has no message. It has an id of its own, so that LinkInOrder can lead through it.
func (d *Draft) Drop(reason string) {
	d.Nodes = append(d.Nodes, Node{ID: fmt.Sprintf("\x00dropped %d", len(d.Nodes)), Dropped: reason})
}

// Kept returns about how much memory a draft takes whose messages are those of Speech and Aside, in bytes.
func (d *Draft) Kept() int {
	const node = 256
	return d.Count.kept + len(d.Nodes)*node
}

// First returns the first node with a message, nil for none.
func (d *Draft) First() *Node {
	i := slices.IndexFunc(d.Nodes, func(n Node) bool { return n.Message != nil })
	if i < 0 {
		return nil
	}
	return &d.Nodes[i]
}

// Message is a node's message before its place in the tree is known.
type Message struct {
	ID          string // empty: that of the node
	Role        store.Role
	ContentType string
	Text        string
	Summary     string
	Model       string
	Time        time.Time // zero: unknown
	Visible     bool
	Raw         []byte
}
