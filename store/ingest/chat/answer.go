package chat

import (
	"github.com/google/uuid"

	"lens/store"
)

// Answer names an answer to a user message by the ids of that and of its first assistant message, as the files have
// them.
type Answer struct{ User, First uuid.UUID }

// ID is the id of the answer's turn, unless it was chosen.
func (a Answer) ID() uuid.UUID { return store.AnswerID(a.User, a.First) }

// ShownAs returns the ids that an archive may show for the answer in a conversation, which may have had to give its
// messages ids of their own.
func (a Answer) ShownAs(conversation uuid.UUID) [4]uuid.UUID {
	user, first := OwnID(conversation, a.User), OwnID(conversation, a.First)
	return [4]uuid.UUID{a.ID(), Answer{user, a.First}.ID(), Answer{a.User, first}.ID(), Answer{user, first}.ID()}
}

// IsChosen reports whether a turn is the one that its user message belongs to, unlike one of another answer.
func IsChosen(t *store.Turn) bool { return t.ID == store.TurnID(t.UserMessage) }

// Answers returns the answers to user messages that turns of a conversation are, by turn: of a version, or of what Fold
// makes of some. A turn without an answer or without a user message is not among them.
func Answers(c *store.Conversation) map[uuid.UUID]Answer {
	replies := make(map[uuid.UUID][]*store.Message, len(c.Turns))
	for i := range c.Messages {
		if m := &c.Messages[i]; m.Role == store.Assistant && m.Turn != uuid.Nil {
			replies[m.Turn] = append(replies[m.Turn], m)
		}
	}
	answers := make(map[uuid.UUID]Answer, len(c.Turns))
	for i := range c.Turns {
		t := &c.Turns[i]
		of := replies[t.ID]
		if len(of) == 0 || of[0].ID == t.UserMessage {
			continue
		}
		answers[t.ID] = Answer{t.UserMessage, of[0].ID}
		if IsChosen(t) {
			continue
		}
		for _, m := range of { // Fold may have a copy of the first, behind the others
			for _, first := range []uuid.UUID{m.ID, MessageID(c.SourceID, m.SourceID)} {
				if a := (Answer{t.UserMessage, first}); a.ID() == t.ID {
					answers[t.ID] = a
				}
			}
		}
	}
	return answers
}
