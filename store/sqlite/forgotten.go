package sqlite

import (
	"context"

	"lens/store"
)

// Forgotten implements store.Store.
func (s *Store) Forgotten(ctx context.Context) (f store.Forgotten, err error) {
	err = s.read(ctx, "forgotten", func(c *conn) error {
		f, err = c.forgotten()
		return err
	})
	return f, err
}

func (c *conn) forgotten() (store.Forgotten, error) {
	f := store.Forgotten{Hashes: map[store.Hash]struct{}{}}
	err := c.each("ForgottenKey", nil, func(r row) error {
		f.Key = r.ColumnBlob(0, nil)
		return nil
	})
	if err != nil {
		return f, err
	}
	return f, c.each("Forgotten", nil, func(r row) error {
		f.Hashes[r.hash(0)] = struct{}{}
		return nil
	})
}

// PutForgotten implements store.Tx.
func (t *tx) PutForgotten(_ context.Context, f store.Forgotten) error {
	if err := t.distrustImported(); err != nil {
		return err
	}
	if err := t.dropForgotten(); err != nil || f.Key == nil {
		return err
	}
	if err := t.run("PutForgottenKey", f.Key); err != nil {
		return err
	}
	for _, hash := range f.Sorted() {
		if err := t.run("PutForgotten", hash); err != nil {
			return err
		}
	}
	return nil
}

func (t *tx) dropForgotten() error {
	if err := t.run("DropForgottenKey"); err != nil {
		return err
	}
	return t.run("DropForgotten")
}
