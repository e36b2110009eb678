package chat

import (
	"github.com/google/uuid"

	"lens/store"
)

// Rename changes message ids of a conversation, from old to new, and the ids of the turns that derive from them. The
// hashes stay: they describe the file.
func Rename(c *store.Conversation, ids map[uuid.UUID]uuid.UUID) {
	turns := make(map[uuid.UUID]uuid.UUID, len(ids))
	for old, now := range ids {
		turns[store.TurnID(old)] = store.TurnID(now)
	}
	if len(ids) > 0 {
		for turn, a := range Answers(c) {
			if turn == a.ID() {
				rename(&a.User, ids)
				rename(&a.First, ids)
				turns[turn] = a.ID()
			}
		}
	}
	for i := range c.Turns {
		t := &c.Turns[i]
		rename(&t.ID, turns)
		rename(&t.UserMessage, ids)
		rename(&t.Assistant, ids)
	}
	for i := range c.Messages {
		m := &c.Messages[i]
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
