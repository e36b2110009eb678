package postgres

import (
	"context"

	"lens/store"
)

// Pending implements store.Reader.
func (s *Store) Pending(
	ctx context.Context, gen store.GenerationID, f store.Filter, after store.Ord, limit int,
) (turns []store.Turn, err error) {
	err = s.snapshot(ctx, "pending", func(c *conn) error {
		only, err := s.eligibleOrds(ctx, c, f)
		if err != nil {
			return err
		}
		ids, err := collect(ctx, c, row.firstID, "Pending",
			after, gen, f.AllBranches, f.Conversation, f.Since, f.Until, only, limit)
		if err != nil {
			return err
		}
		turns, err = c.turns(ctx, ids)
		return err
	})
	return turns, err
}

// CountPending implements store.Reader.
func (s *Store) CountPending(ctx context.Context, gen store.GenerationID, f store.Filter) (int, error) {
	var n int64
	err := s.snapshot(ctx, "count pending", func(c *conn) error {
		only, err := s.eligibleOrds(ctx, c, f)
		if err == nil {
			n, err = c.number(ctx, "CountPending", gen, f.AllBranches, f.Conversation, f.Since, f.Until, only)
		}
		return err
	})
	return int(n), err
}

// eligibleOrds returns the ordinals that match f, as a parameter; nil if the query knows all of f.
func (s *Store) eligibleOrds(ctx context.Context, c *conn, f store.Filter) ([]int64, error) {
	if len(f.Sources) == 0 && len(f.Meta) == 0 && f.Ords == nil {
		return nil, nil
	}
	scope, err := s.scopeIn(ctx, c, f)
	if err != nil {
		return nil, err
	}
	ords := []int64{}
	for _, ord := range scope.Ords() {
		ords = append(ords, int64(ord))
	}
	return ords, nil
}
