package postgres

import (
	"context"

	"github.com/google/uuid"

	"lens/store"
	"lens/store/failure"
)

// Conversations implements store.Reader.
func (s *Store) Conversations(ctx context.Context, ids []uuid.UUID) (conversations []store.Conversation, err error) {
	err = s.read(ctx, "conversations", func(c *conn) error {
		conversations = make([]store.Conversation, 0, len(ids))
		err := c.each(ctx, "ConversationsByID", []any{ids}, func(r row) error {
			if n := len(conversations); r.int(0) != n+1 {
				return failure.NotFound("postgres: conversations", "conversation", ids[n])
			}
			conversations = append(conversations, r.conversation())
			return nil
		})
		if n := len(conversations); err == nil && n < len(ids) {
			err = failure.NotFound("postgres: conversations", "conversation", ids[n])
		}
		if err != nil {
			return err
		}
		return c.fillDocuments(ctx, conversations)
	})
	if err != nil {
		return nil, err
	}
	return conversations, nil
}

// ConversationIDs implements store.Reader.
func (s *Store) ConversationIDs(ctx context.Context, source store.Source) ([]uuid.UUID, error) {
	return list(ctx, s, "conversation ids", row.firstID, "ConversationIDs", string(source))
}

func (r row) conversation() store.Conversation {
	return store.Conversation{
		ID: r.id(1), SourceID: r.text(2), Source: store.Source(r.text(3)), Title: r.text(4),
		Created: r.time(5), Updated: r.time(6), Model: r.text(7), Hash: r.hash(8),
		Superseded: r.bytes(9),
	}
}

// ConversationStates implements store.Tx.
func (t *tx) ConversationStates(ctx context.Context, ids []uuid.UUID) (map[uuid.UUID]store.ConversationState, error) {
	states := make(map[uuid.UUID]store.ConversationState)
	err := t.each(ctx, "ConversationStates", []any{ids}, func(r row) error {
		states[r.id(0)] = store.ConversationState{
			Hash: r.hash(1), Updated: r.time(2), Superseded: r.bytes(3), Created: r.time(4),
		}
		return nil
	})
	return states, err
}

// PutConversations implements store.Tx.
func (t *tx) PutConversations(ctx context.Context, conversations []store.Conversation) error {
	if err := t.putDocuments(ctx, conversations); err != nil {
		return err
	}
	b := t.bulk("CopyConversations", "DeleteConversations")
	for i := range conversations {
		c := &conversations[i]
		err := b.add(ctx, c.ID, c.ID, c.SourceID, string(c.Source), c.Title, c.Created, c.Updated, c.Model, c.Hash,
			[]byte(c.Superseded))
		if err != nil {
			return err
		}
	}
	return b.flush(ctx)
}
