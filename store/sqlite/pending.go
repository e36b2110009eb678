package sqlite

import (
	"context"

	"github.com/google/uuid"

	"lens/store"
)

// Pending implements store.Reader.
func (s *Store) Pending(ctx context.Context, gen store.GenerationID, f store.Filter, after store.Ord, limit int) (turns []store.Turn, err error) {
	err = s.read(ctx, "pending", func(c *conn) error {
		var ids []uuid.UUID
		args := []any{after, gen, f.AllBranches, f.Conversation, f.Since, f.Until, limit}
		err := c.each("Pending", args, func(r row) error {
			ids = append(ids, r.id(0))
			return nil
		})
		if err != nil {
			return err
		}
		turns, err = c.turns(ids)
		return err
	})
	return turns, err
}

// CountPending implements store.Reader.
func (s *Store) CountPending(ctx context.Context, gen store.GenerationID, f store.Filter) (int, error) {
	var n int64
	err := s.read(ctx, "count pending", func(c *conn) (err error) {
		n, err = c.number("CountPending", gen, f.AllBranches, f.Conversation, f.Since, f.Until)
		return err
	})
	return int(n), err
}
