package sqlite

import (
	"context"

	"github.com/google/uuid"

	"lens/store"
)

// Messages implements store.Reader.
func (s *Store) Messages(ctx context.Context, conversation uuid.UUID) (messages []store.Message, err error) {
	err = s.read(ctx, "messages", func(c *conn) error {
		return c.each("Messages", []any{conversation}, func(r row) error {
			messages = append(messages, r.message())
			return nil
		})
	})
	return messages, err
}

func (r row) message() store.Message {
	return store.Message{
		ID: r.id(0), SourceID: r.ColumnText(1), Parent: r.id(2), Seq: r.ColumnInt(3), Role: store.Role(r.ColumnText(4)),
		ContentType: r.ColumnText(5), Text: r.ColumnText(6), Summary: r.ColumnText(7), Model: r.ColumnText(8), Time: r.time(9),
		Visible: r.ColumnBool(10), OnPath: r.ColumnBool(11), Turn: r.id(12), Raw: r.ColumnBlob(13, nil), Hash: r.hash(14),
	}
}

// MessageStates implements store.Tx.
func (t *tx) MessageStates(_ context.Context, conversations []uuid.UUID) (map[uuid.UUID]store.MessageState, error) {
	states := make(map[uuid.UUID]store.MessageState)
	for _, id := range conversations {
		err := t.each("MessageStates", []any{id}, func(r row) error {
			states[r.id(0)] = store.MessageState{Conversation: id, Hash: r.hash(1)}
			return nil
		})
		if err != nil {
			return nil, err
		}
	}
	return states, nil
}

// MessageOwners implements store.Tx.
func (t *tx) MessageOwners(_ context.Context, ids []uuid.UUID) (map[uuid.UUID]uuid.UUID, error) {
	owners := make(map[uuid.UUID]uuid.UUID)
	for _, id := range ids {
		err := t.each("MessageOwner", []any{id}, func(r row) error {
			owners[id] = r.id(0)
			return nil
		})
		if err != nil {
			return nil, err
		}
	}
	return owners, nil
}

// PutMessages implements store.Tx.
func (t *tx) PutMessages(_ context.Context, conversation uuid.UUID, messages []store.Message) error {
	for i := range messages {
		m := &messages[i]
		err := t.run("PutMessage", m.ID, conversation, m.Turn, m.Seq, m.Parent, string(m.Role), m.Visible, m.OnPath, m.Time,
			m.Hash, m.SourceID, m.ContentType, m.Model, m.Summary, m.Text, m.Raw)
		if err != nil {
			return err
		}
	}
	return nil
}
