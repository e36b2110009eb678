package ingest

import (
	"github.com/google/uuid"

	"lens/store/ingest/chat"
)

// outcome counts what a batch changed, or would change in a dry run.
type outcome struct {
	conversations Changes
	messages      Changes
	olderMessages int // of messages.New, those that an older version of their conversation added
	newTurns      int
	derived       int // documents that were written or removed because others derive now
	forgotten     int // conversations and turns that were left out
}

// countUnchanged counts a conversation that changes nothing.
func (o *outcome) countUnchanged(p *chat.Parsed) {
	o.conversations.Unchanged++
	o.messages.Unchanged += len(p.Messages)
}

// countNew counts a conversation that is not stored yet. Its copies of the messages that others have are nothing new.
func (o *outcome) countNew(p *chat.Parsed, shared map[uuid.UUID]bool) {
	copies := chat.Copies(&p.Conversation, shared)
	repeated := 0
	for i := range p.Messages {
		repeated += boolToInt(copies[p.Messages[i].Turn])
	}
	o.conversations.New++
	o.messages.New += len(p.Messages) - repeated
	o.messages.Unchanged += repeated
	o.newTurns += len(p.Turns) - len(copies)
}
