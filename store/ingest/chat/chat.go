// Package chat holds what all parsers of chat exports share: the shape of what they yield, the tree of messages and its active
// path, turns, times and the scrubbing of texts. It is pure.
package chat

import (
	"fmt"

	"lens/store"
)

// Parsed is one conversation of an export with its turns built and its hashes filled, and the account of its nodes.
type Parsed struct {
	store.Conversation
	Count  Count
	Vector []float32 // of its only turn, of unit length, when it came with one; else nil
}

// Count accounts for every node of a conversation: Nodes = Messages + the sum of Skipped.
type Count struct {
	Nodes          int
	Messages       int            // kept as messages
	Skipped        map[string]int // by reason, of what was not kept ("no message", "duplicate message id" …)
	UnknownContent map[string]int // by content type: kept in raw, with no text that Lens knows how to read
	Truncated      int            // texts cut, and messages whose JSON was not kept, at the limits
	Vectors        int            // given with texts
	RefusedVectors map[string]int // of these, by reason, those that cannot be used
	Scrubbed       int            // texts in which NUL bytes, lone surrogates or invalid UTF-8 were replaced
}

// Skip is yielded in place of a conversation that could not be read; what follows it still can.
type Skip struct {
	Index  int    // of the conversation in its file, from 0
	Reason string // short and countable: "null", "no mapping", "unreadable"
	Nodes  int    // how many nodes were lost with it, where that can be told
	File   string // path of a document that was to be read and could not be; else empty
	Err    error  // the cause; may be nil
}

func (s *Skip) Error() string {
	if s.Err == nil {
		return fmt.Sprintf("conversation %d: %s", s.Index, s.Reason)
	}
	return fmt.Sprintf("conversation %d: %s: %v", s.Index, s.Reason, s.Err)
}

func (s *Skip) Unwrap() error { return s.Err }
