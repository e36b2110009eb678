package ingest

import "lens/store/ingest/chat"

// outcome counts what a batch changed, or would change in a dry run.
type outcome struct {
	conversations Changes
	messages      Changes
	olderMessages int // of messages.New, those that an older version of their conversation added
	newTurns      int
	forgotten     int // conversations and turns that were left out
}

// countUnchanged counts a conversation that changes nothing.
func (o *outcome) countUnchanged(p *chat.Parsed) {
	o.conversations.Unchanged++
	o.messages.Unchanged += len(p.Messages)
}

// countNew counts a conversation that is not stored yet.
func (o *outcome) countNew(p *chat.Parsed) {
	o.conversations.New++
	o.messages.New += len(p.Messages)
	o.newTurns += len(p.Turns)
}
