package ingest

import "lens/store/ingest/chat"

// outcome counts what a batch changed, or would change in a dry run.
type outcome struct {
	conversations Changes
	messages      Changes
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

// countUpdated counts a conversation that replaces the stored version.
func (o *outcome) countUpdated(p *chat.Parsed, stored storedVersion) {
	o.conversations.Updated++
	for i := range p.Messages {
		switch hash, known := stored.messages[p.Messages[i].ID]; {
		case !known:
			o.messages.New++
		case hash == p.Messages[i].Hash:
			o.messages.Unchanged++
		default:
			o.messages.Updated++
		}
	}
	for i := range p.Turns {
		_, known := stored.turns[p.Turns[i].ID]
		o.newTurns += boolToInt(!known)
	}
}
