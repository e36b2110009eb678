package sqlite

import (
	"context"
	"errors"

	"github.com/ncruces/go-sqlite3"

	"lens/store"
	"lens/store/termindex"
)

// Optimize implements store.Store. Each merge is its own transaction, so that an interruption keeps
// the others. It ends an import, so the builder of segments forgets its terms.
func (s *Store) Optimize(ctx context.Context) error {
	s.builder.Reset()
	for merged := true; merged; {
		err := s.Update(ctx, func(w store.Tx) error {
			var err error
			merged, err = w.(*tx).mergeOnce()
			return err
		})
		if err != nil {
			return err
		}
	}
	return s.explain(ctx, "optimize", s.tidy(ctx))
}

// tidy renews the planner's statistics and folds the log into the database file.
func (s *Store) tidy(ctx context.Context) error {
	if err := s.beginWriting(ctx); err != nil {
		return err
	}
	defer s.endWriting()
	s.writer.SetInterrupt(ctx)
	defer s.writer.SetInterrupt(context.Background())
	if err := s.writer.Exec("PRAGMA analysis_limit = 400; PRAGMA optimize = 0x10002"); err != nil {
		return err
	}
	_, _, err := s.writer.WALCheckpoint("main", sqlite3.CHECKPOINT_PASSIVE)
	return err
}

// mergeOnce merges the segments that are due; false if there are none.
func (t *tx) mergeOnce() (bool, error) {
	segments, err := t.segments()
	if err != nil {
		return false, err
	}
	group := termindex.Due(segments, func(s segment) int64 { return s.bytes })
	if group == nil {
		return false, nil
	}
	return true, t.merge(group)
}

// merge replaces segments by one with their live turns. It takes their blocks away as it reads them, so that the new
// ones lie where those did: the file does not grow, and no page is overwritten with zeros before it is written again.
func (t *tx) merge(segments []segment) error {
	live, err := t.liveOrds()
	if err != nil {
		return err
	}
	id, err := t.number("InsertSegment", 0)
	if err != nil {
		return err
	}
	readers := make([]termindex.Segment, len(segments))
	for i, seg := range segments {
		readers[i] = t.taken(seg.id)
	}
	w := segmentWriter{tx: t, id: id}
	if err := termindex.Merge(readers, live.Has, w.add); err != nil {
		return err
	}
	for _, seg := range segments {
		if err := t.run("DeleteSegment", seg.id); err != nil {
			return err
		}
	}
	return w.finish()
}

// taken yields the blocks of one segment and deletes each. The data of a block is valid until the next one.
func (t *tx) taken(segment int64) termindex.Segment {
	return func(yield func(termindex.Block, error) bool) {
		var b termindex.Block
		for {
			there := false
			err := t.each("TakeBlock", []any{segment}, func(r row) error {
				b, there = termindex.Block{FirstTerm: r.ColumnText(0), Data: r.ColumnBlob(1, b.Data[:0])}, true
				return nil
			})
			if err != nil {
				yield(termindex.Block{}, err)
				return
			}
			if !there || !yield(b, nil) {
				return
			}
		}
	}
}

// errStopped ends a query after its consumer has stopped.
var errStopped = errors.New("stopped")

// blocks yields the blocks of one segment. Several segments may be read at once.
func (c *conn) blocks(segment int64) termindex.Segment {
	return func(yield func(termindex.Block, error) bool) {
		err := c.each("Blocks", []any{segment}, func(r row) error {
			if !yield(termindex.Block{FirstTerm: r.ColumnText(0), Data: r.ColumnBlob(1, nil)}, nil) {
				return errStopped
			}
			return nil
		})
		if err != nil && !errors.Is(err, errStopped) {
			yield(termindex.Block{}, err)
		}
	}
}

// liveOrds returns the ordinals in use.
func (c *conn) liveOrds() (*store.OrdSet, error) {
	live := new(store.OrdSet)
	err := c.each("LiveOrds", nil, func(r row) error {
		live.Add(store.Ord(r.ColumnInt64(0)))
		return nil
	})
	return live, err
}
