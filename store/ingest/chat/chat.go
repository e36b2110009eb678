// Package chat is shared by all parsers: it splits a file into conversations, builds the tree of messages, the active
// path and the turns, and cleans texts and times. It does no I/O of its own.
package chat

import (
	"fmt"

	"lens/store"
)

// Parsed is a conversation with its turns and hashes, and the counts of its nodes.
type Parsed struct {
	store.Conversation
	Count  Count
	Vector []float32 // imported with its only turn, of unit length; nil: none

	// Beside says that it is what a service keeps beside the chats, such as a project: documents derive from it, and it
	// counts as no conversation.
	Beside bool

	// Unread are the flags of the turns of a document that has not changed; they are not in Turns.
	Unread []store.Flag

	Derived []Derived // the texts that derive from it; Hash covers them, too
}

// Count accounts for every node of a conversation: Nodes = Messages + the sum of Skipped.
type Count struct {
	Nodes          int
	Messages       int            // nodes kept as messages
	Skipped        map[string]int // nodes dropped, by reason: "no message", "duplicate message id" …
	UnknownContent map[string]int // messages whose text Lens cannot read and keeps only as raw JSON, by content type
	Truncated      int            // texts cut at a limit, and messages whose raw JSON was too long to keep
	Vectors        int            // imported with texts
	RefusedVectors map[string]int // those of Vectors that cannot be used, by reason
	kept           int            // bytes of the messages of Speech and Aside
	Scrubbed       int            // texts in which NUL bytes, lone surrogates or invalid UTF-8 were replaced
}

// Skip is the error yielded for a conversation that could not be read. It does not stop the reading of the others.
type Skip struct {
	Index  int    // of the conversation in its file, from 0
	Reason string // short and countable: "null", "no mapping", "unreadable"
	Nodes  int    // how many nodes it had, as far as known
	File   string // path of a document that could not be read; else empty
	Err    error  // the cause; may be nil
}

func (s *Skip) Error() string {
	if s.Err == nil {
		return fmt.Sprintf("conversation %d: %s", s.Index, s.Reason)
	}
	return fmt.Sprintf("conversation %d: %s: %v", s.Index, s.Reason, s.Err)
}

func (s *Skip) Unwrap() error { return s.Err }
