package postgres

import (
	"context"

	"github.com/google/uuid"

	"lens/store"
)

// Messages implements store.Reader.
func (s *Store) Messages(ctx context.Context, conversation uuid.UUID) ([]store.Message, error) {
	return list(ctx, s, "messages", row.message, "Messages", conversation)
}

func (r row) message() store.Message {
	return store.Message{
		ID: r.id(0), SourceID: r.text(1), Parent: r.id(2), Seq: r.int(3), Role: store.Role(r.text(4)),
		ContentType: r.text(5), Text: r.text(6), Summary: r.text(7), Model: r.text(8), Time: r.time(9),
		Visible: r.bool(10), OnPath: r.bool(11), Turn: r.id(12), Raw: r.bytes(13), Hash: r.hash(14),
	}
}

// MessageStates implements store.Tx.
func (t *tx) MessageStates(ctx context.Context, conversations []uuid.UUID) (map[uuid.UUID]store.MessageState, error) {
	if err := t.messages.flush(ctx); err != nil {
		return nil, err
	}
	states := make(map[uuid.UUID]store.MessageState)
	err := t.each(ctx, "MessageStates", []any{conversations}, func(r row) error {
		states[r.id(0)] = store.MessageState{Conversation: r.id(1), Hash: r.hash(2)}
		return nil
	})
	return states, err
}

// MessageOwners implements store.Reader.
func (s *Store) MessageOwners(ctx context.Context, ids []uuid.UUID) (owners map[uuid.UUID]uuid.UUID, err error) {
	err = s.read(ctx, "message owners", func(c *conn) error {
		owners, err = c.messageOwners(ctx, ids)
		return err
	})
	return owners, err
}

// MessageOwners implements store.Tx.
func (t *tx) MessageOwners(ctx context.Context, ids []uuid.UUID) (map[uuid.UUID]uuid.UUID, error) {
	if err := t.messages.flush(ctx); err != nil {
		return nil, err
	}
	return t.messageOwners(ctx, ids)
}

func (c *conn) messageOwners(ctx context.Context, ids []uuid.UUID) (map[uuid.UUID]uuid.UUID, error) {
	owners := make(map[uuid.UUID]uuid.UUID)
	err := c.each(ctx, "MessageOwners", []any{ids}, func(r row) error {
		owners[r.id(0)] = r.id(1)
		return nil
	})
	return owners, err
}

// PutMessages implements store.Tx.
func (t *tx) PutMessages(ctx context.Context, conversation uuid.UUID, messages []store.Message) error {
	for i := range messages {
		m := &messages[i]
		err := t.messages.add(ctx, m.ID, m.ID, conversation, m.Turn, int32(m.Seq), m.Parent, string(m.Role),
			m.Visible, m.OnPath, m.Time, m.Hash, m.SourceID, m.ContentType, m.Model, m.Summary, m.Text, m.Raw)
		if err != nil {
			return err
		}
	}
	return nil
}
