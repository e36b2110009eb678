package sqlite

import (
	"context"

	"lens/store"
	"lens/store/termindex"
)

// Kept implements store.KeptReader.
func (s *Store) Kept(ctx context.Context, name string) (k store.Kept, err error) {
	err = s.read(ctx, "kept", func(c *conn) error {
		if k.Now, err = c.number("Counter", "turns"); err != nil {
			return err
		}
		return c.each("Kept", []any{name}, func(r row) error {
			k.Data, k.Of = r.ColumnBlob(0, []byte{}), r.ColumnInt64(1)
			return nil
		})
	})
	return k, err
}

// EachTerm implements store.KeptReader.
func (s *Store) EachTerm(ctx context.Context, see func(term string, p store.Postings) error) error {
	if err := s.CheckKeywordIndex(); err != nil {
		return err
	}
	return s.read(ctx, "each term", func(c *conn) error {
		segments, err := c.segments()
		if err != nil {
			return err
		}
		readers := make([]termindex.Segment, len(segments))
		for i, seg := range segments {
			readers[i] = c.blocks(seg.id)
		}
		return termindex.Each(readers, see)
	})
}

// PutKept implements store.Tx.
func (t *tx) PutKept(_ context.Context, name string, of int64, data []byte) error {
	now, err := t.number("Counter", "turns")
	if err != nil || now != of || t.turns {
		return err
	}
	return t.run("PutKept", name, of, data)
}
