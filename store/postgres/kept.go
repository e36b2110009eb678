package postgres

import (
	"context"

	"lens/store"
	"lens/store/termindex"
)

// Kept implements store.KeptReader.
func (s *Store) Kept(ctx context.Context, name string) (k store.Kept, err error) {
	err = s.snapshot(ctx, "kept", func(c *conn) error {
		k = store.Kept{}
		if k.Now, err = c.turnsCounter(ctx); err != nil {
			return err
		}
		return c.each(ctx, "Kept", []any{name}, func(r row) error {
			k.Data, k.Of = append([]byte{}, r[0]...), r.number(1)
			return nil
		})
	})
	return k, err
}

// turnsCounter returns the counter that changes with every commit that changes a turn.
func (c *conn) turnsCounter(ctx context.Context) (turns int64, err error) {
	err = c.each(ctx, "Counters", nil, func(r row) error {
		turns = r.number(1)
		return nil
	})
	return turns, err
}

// EachTerm implements store.KeptReader. It does not begin again when the connection is lost: see has had some terms.
func (s *Store) EachTerm(ctx context.Context, see func(term string, p store.Postings) error) error {
	if err := s.CheckKeywordIndex(); err != nil {
		return err
	}
	_, err := s.withConn(ctx, func(c *conn) error {
		return c.snapshot(ctx, func() error {
			segments, err := c.segments(ctx)
			if err != nil {
				return err
			}
			readers := make([]termindex.Segment, len(segments))
			for i, seg := range segments {
				readers[i] = c.blocks(ctx, seg.id)
			}
			return termindex.Each(readers, see)
		})
	})
	return s.explain(ctx, "each term", err)
}

// PutKept implements store.Tx.
func (t *tx) PutKept(ctx context.Context, name string, of int64, data []byte) error {
	now, err := t.turnsCounter(ctx)
	if err != nil || now != of || t.turns {
		return err
	}
	_, err = t.run(ctx, "PutKept", name, of, data)
	return err
}
