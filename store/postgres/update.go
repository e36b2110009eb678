package postgres

import (
	"context"
	"time"

	"lens/store"
	"lens/store/failure"
)

// tx is a write transaction. It records which parts of the archive it changed.
type tx struct {
	*conn
	turns   bool                    // a turn was added, changed or removed
	terms   bool                    // terms were added
	vectors bool                    // a vector or a generation was added, changed or removed
	moved   bool                    // vectors were removed, or a turn got a new ordinal
	wiped   bool                    // text was forgotten and must leave the tables too
	unused  map[store.Hash]struct{} // what deleted vectors were made of: other vectors may have it too

	messages bulk // not yet sent; they arrive one conversation at a time
}

// Update implements store.Store.
func (s *Store) Update(ctx context.Context, fn func(store.Tx) error) error {
	return s.write(ctx, "update", func(c *conn) error {
		t := &tx{conn: c, messages: c.bulk("CopyMessages", "DeleteMessages")}
		err := c.transaction(ctx, "BEGIN READ WRITE", func() error {
			if err := fn(t); err != nil {
				return err
			}
			return t.finish(ctx)
		})
		if err == nil && t.wiped {
			c.vacuum(ctx)
		}
		return err
	})
}

// write runs fn on the writer's connection.
func (s *Store) write(ctx context.Context, op string, fn func(c *conn) error) error {
	if s.readOnly {
		return s.explain(ctx, op, failure.ErrReadOnly)
	}
	c, err := s.writer.acquire(ctx)
	if err != nil {
		return s.explain(ctx, op, err)
	}
	defer s.writer.release()
	return s.explain(ctx, op, fn(c))
}

// finish sends the remaining rows and gives the changed parts new version numbers, which readers
// compare. The numbers follow the clock, so that an archive restored from a backup never reuses a
// number that a cache has.
func (t *tx) finish(ctx context.Context) error {
	if err := t.messages.flush(ctx); err != nil {
		return err
	}
	if err := t.dropUnusedTexts(ctx); err != nil {
		return err
	}
	now := time.Now().UnixMicro()
	if t.moved {
		if _, err := t.run(ctx, "MoveVectors", now); err != nil {
			return err
		}
	}
	if t.turns {
		if _, err := t.run(ctx, "Stamp", now, "turns"); err != nil {
			return err
		}
	}
	if t.turns || t.terms || t.vectors || t.moved {
		_, err := t.run(ctx, "Stamp", now, "version")
		return err
	}
	return nil
}
