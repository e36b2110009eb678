package chat

import (
	"github.com/google/uuid"

	"lens/store"
)

// Rename changes message ids, from old to new, and the ids of the turns that derive from them. The hashes stay: they
// describe the file.
func (p *Parsed) Rename(ids map[uuid.UUID]uuid.UUID) {
	turns := make(map[uuid.UUID]uuid.UUID)
	for i := range p.Turns {
		t := &p.Turns[i]
		before := t.ID
		rename(&t.UserMessage, ids)
		rename(&t.Assistant, ids)
		t.ID = store.TurnID(t.UserMessage)
		turns[before] = t.ID
	}
	for i := range p.Messages {
		m := &p.Messages[i]
		rename(&m.ID, ids)
		rename(&m.Parent, ids)
		rename(&m.Turn, turns)
	}
}

func rename(id *uuid.UUID, ids map[uuid.UUID]uuid.UUID) {
	if other, ok := ids[*id]; ok {
		*id = other
	}
}
