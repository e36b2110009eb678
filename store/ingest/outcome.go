package ingest

import "lens/store/ingest/chat"

// outcome counts what a batch changed, or would.
type outcome struct {
	conversations Changes
	messages      Changes
	newTurns      int
}

// leave counts a conversation that changes nothing.
func (o *outcome) leave(p *chat.Parsed) {
	o.conversations.Unchanged++
	o.messages.Unchanged += len(p.Messages)
}

// add counts a conversation that is not stored yet.
func (o *outcome) add(p *chat.Parsed) {
	o.conversations.New++
	o.messages.New += len(p.Messages)
	o.newTurns += len(p.Turns)
}

// update counts a conversation that supersedes what is stored.
func (o *outcome) update(p *chat.Parsed, stored past) {
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
		o.newTurns += one(!known)
	}
}
