package chat

import (
	"github.com/google/uuid"

	"lens/store"
)

// Repeats reports whether the conversations of a source that continue others begin with copies of their messages, under
// the same ids. These must be UUIDs: others belong to their conversation (MessageID), and nothing tells a copy by them.
func Repeats(s store.Source) bool { return s == store.ClaudeCode || s == store.Codex }

// Copies returns the turns of a conversation that only repeat those of others, which have the messages in shared.
// A turn whose prompt another conversation has, but not its answer, is not a copy.
func Copies(c *store.Conversation, shared map[uuid.UUID]bool) map[uuid.UUID]bool {
	copies := map[uuid.UUID]bool{}
	if !Repeats(c.Source) || len(shared) == 0 {
		return copies
	}
	for i := range c.Turns {
		copies[c.Turns[i].ID] = shared[c.Turns[i].UserMessage]
	}
	for i := range c.Messages {
		if m := &c.Messages[i]; m.Visible && !shared[m.ID] {
			copies[m.Turn] = false
		}
	}
	for turn, a := range Answers(c) {
		if question := store.TurnID(a.User); !copies[turn] {
			copies[question] = false
		}
	}
	for turn, is := range copies {
		if !is {
			delete(copies, turn)
		}
	}
	return copies
}

// Separate makes a conversation one of its own, of which others have the messages in shared. It leaves out the turns
// that only repeat theirs, with what belongs to no other turn; the messages that stay get ids of their own, which it
// returns by the former. The hash stays: it describes the file.
func Separate(c *store.Conversation, shared map[uuid.UUID]bool) (renamed map[uuid.UUID]uuid.UUID) {
	if Repeats(c.Source) && len(shared) > 0 {
		leaveOutCopies(c, shared)
	}
	renamed = make(map[uuid.UUID]uuid.UUID)
	for i := range c.Messages {
		if id := c.Messages[i].ID; shared[id] {
			renamed[id] = OwnID(c.ID, id)
		}
	}
	Rename(c, renamed)
	return renamed
}

// leaveOutCopies keeps the other turns as they are: those of a folded conversation cannot be made again from its
// messages.
func leaveOutCopies(c *store.Conversation, shared map[uuid.UUID]bool) {
	copies := Copies(c, shared)
	if len(copies) < len(c.Turns) {
		c.Title = TitleWithout(c.Title, c.Turns, copies)
	}
	own := map[uuid.UUID]bool{} // turns that stay
	turns := make([]store.Turn, 0, len(c.Turns)-len(copies))
	for _, t := range c.Turns {
		if copies[t.ID] {
			continue
		}
		own[t.ID] = true
		if t.Position != len(turns) {
			t.Position, t.Hash = len(turns), store.Hash{}
		}
		turns = append(turns, t)
	}
	above := map[uuid.UUID]uuid.UUID{} // the nearest message that stays, of each that goes
	messages := make([]store.Message, 0, len(c.Messages))
	for _, m := range c.Messages {
		if parent, follows := above[m.Parent]; follows {
			m.Parent = parent
		}
		if shared[m.ID] && !own[m.Turn] {
			above[m.ID] = m.Parent
			continue
		}
		m.Seq = len(messages)
		messages = append(messages, m)
	}
	c.Messages, c.Turns = messages, turns
}
