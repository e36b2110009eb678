package postgres

import (
	"context"

	"lens/store"
)

// Forgotten implements store.Store.
func (s *Store) Forgotten(ctx context.Context) (f store.Forgotten, err error) {
	err = s.snapshot(ctx, "forgotten", func(c *conn) error {
		f, err = c.forgotten(ctx)
		return err
	})
	return f, err
}

func (c *conn) forgotten(ctx context.Context) (store.Forgotten, error) {
	f := store.Forgotten{Hashes: map[store.Hash]struct{}{}}
	err := c.each(ctx, "ForgottenKey", nil, func(r row) error {
		f.Key = r.bytes(0)
		return nil
	})
	if err != nil {
		return f, err
	}
	return f, c.each(ctx, "Forgotten", nil, func(r row) error {
		f.Hashes[r.hash(0)] = struct{}{}
		return nil
	})
}

// PutForgotten implements store.Tx.
func (t *tx) PutForgotten(ctx context.Context, f store.Forgotten) error {
	if err := t.distrustImported(ctx); err != nil {
		return err
	}
	if err := t.dropForgotten(ctx); err != nil || f.Key == nil {
		return err
	}
	if _, err := t.run(ctx, "PutForgottenKey", f.Key); err != nil {
		return err
	}
	var hashes [][]byte
	for _, hash := range f.Sorted() {
		hashes = append(hashes, hash[:])
	}
	_, err := t.run(ctx, "PutForgotten", hashes)
	return err
}

func (t *tx) dropForgotten(ctx context.Context) error {
	if _, err := t.run(ctx, "DropForgottenKey"); err != nil {
		return err
	}
	_, err := t.run(ctx, "DropForgotten")
	return err
}
