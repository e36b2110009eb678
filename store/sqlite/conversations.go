package sqlite

import (
	"context"
	"fmt"
	"slices"

	"github.com/google/uuid"

	"lens/store"
	"lens/store/failure"
)

// Conversations implements store.Reader.
func (s *Store) Conversations(ctx context.Context, ids []uuid.UUID) ([]store.Conversation, error) {
	conversations := make([]store.Conversation, 0, len(ids))
	err := s.read(ctx, "conversations", func(c *conn) error {
		most, err := c.scanIsFaster(len(ids))
		if err != nil {
			return err
		}
		if most {
			conversations, err = c.scanConversations(ids)
			return err
		}
		for _, id := range ids {
			n := len(conversations)
			err := c.each("ConversationByID", []any{id}, func(r row) error {
				conversations = append(conversations, r.conversation())
				return nil
			})
			if err != nil {
				return err
			}
			if len(conversations) == n {
				return failure.NotFound("sqlite: conversations", "conversation", id)
			}
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	return conversations, nil
}

// scanIsFaster reports whether n conversations are so many that one pass over all takes less time than a query for
// each.
func (c *conn) scanIsFaster(n int) (bool, error) {
	last, err := c.number("LastConversation")
	return n > 0 && int64(n) >= last/4, err
}

// scanConversations returns the conversations of ids, reading all.
func (c *conn) scanConversations(ids []uuid.UUID) ([]store.Conversation, error) {
	all := make(map[uuid.UUID]store.Conversation, len(ids))
	err := c.each("AllConversations", nil, func(r row) error {
		conversation := r.conversation()
		all[conversation.ID] = conversation
		return nil
	})
	if err != nil {
		return nil, err
	}
	conversations := make([]store.Conversation, len(ids))
	for i, id := range ids {
		conversation, known := all[id]
		if !known {
			return nil, failure.NotFound("sqlite: conversations", "conversation", id)
		}
		conversations[i] = conversation
	}
	return conversations, nil
}

// ConversationIDs implements store.Reader.
func (s *Store) ConversationIDs(ctx context.Context, source store.Source) ([]uuid.UUID, error) {
	return list(ctx, s, "conversation ids", row.firstID, "ConversationIDs", string(source))
}

func (r row) conversation() store.Conversation {
	c := store.Conversation{
		ID: r.id(7), SourceID: r.ColumnText(8), Source: store.Source(r.ColumnText(9)), Title: r.ColumnText(10),
		Created: r.time(11), Updated: r.time(12), Model: r.ColumnText(13), Hash: r.hash(14),
		Superseded: r.hashes(15),
	}
	if !r.null(0) {
		d := r.document()
		c.Document = &d
	}
	return c
}

// ConversationStates implements store.Tx.
func (t *tx) ConversationStates(_ context.Context, ids []uuid.UUID) (map[uuid.UUID]store.ConversationState, error) {
	states := make(map[uuid.UUID]store.ConversationState)
	ids, err := t.mayBeStored(ids)
	if err != nil {
		return nil, err
	}
	for _, id := range ids {
		err := t.each("ConversationState", []any{id}, func(r row) error {
			states[id] = store.ConversationState{
				Hash: r.hash(0), Updated: r.time(1), Superseded: r.hashes(2), Created: r.time(3),
			}
			return nil
		})
		if err != nil {
			return nil, err
		}
	}
	return states, nil
}

// PutConversations implements store.Tx.
func (t *tx) PutConversations(_ context.Context, conversations []store.Conversation) error {
	if err := t.growCache(conversations); err != nil {
		return err
	}
	for i := range conversations {
		c := &conversations[i]
		t.known.add(c.ID)
		t.SetLastInsertRowID(0)
		err := t.run("PutConversation", c.ID, c.SourceID, string(c.Source), c.Title, c.Created, c.Updated, c.Model, c.Hash,
			[]byte(c.Superseded))
		if number := t.LastInsertRowID(); err == nil && number != 0 { // else it replaced one
			t.numbers[c.ID] = number
		}
		if err == nil && c.Document != nil {
			err = t.putDocument(c.ID, c.Document)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// growCache applies chatPragmas if there are chats among conversations.
func (t *tx) growCache(conversations []store.Conversation) error {
	isChat := func(c store.Conversation) bool { return !c.Source.Chunked() }
	if t.chats || !slices.ContainsFunc(conversations, isChat) {
		return nil
	}
	t.chats = true
	return t.Exec(chatPragmas)
}

// numberOf returns the number of a conversation, by which other tables refer to it.
func (t *tx) numberOf(conversation uuid.UUID) (int64, error) {
	if number, known := t.numbers[conversation]; known {
		return number, nil
	}
	number, err := t.number("ConversationNumber", conversation)
	if err == nil && number == 0 {
		err = fmt.Errorf("conversation %s does not exist", conversation)
	}
	if err == nil {
		t.numbers[conversation] = number
	}
	return number, err
}
